"""What the web page shows of Qwirkle."""

from importlib.resources import files

from games.qwirkle.page.story import tell
from games.qwirkle.page.view import scenery, view
from ludothek.contract.page import Page

PAGE = Page(
    scenery=scenery,
    view=view,
    tell=tell,
    files=files(__package__),
    hello='{"clientName": "Anna", "clientType": "PLAYER", "uniqueId": 100}',
)
