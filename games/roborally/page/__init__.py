"""What the web page shows of Robo Rally."""

from importlib.resources import files

from games.roborally.page.scenery import scenery
from games.roborally.page.story import tell
from games.roborally.page.view import view
from ludothek.contract.page import Page

PAGE = Page(
    scenery=scenery,
    view=view,
    tell=tell,
    files=files(__package__),
    hello='{"messageType": "HelloServer", "messageBody": '
    '{"group": "TolleTrolle", "isAI": false, "protocol": "Version 2.0"}}',
)
