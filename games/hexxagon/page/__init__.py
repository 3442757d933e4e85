"""What the web page shows of Hexxagon."""

from importlib.resources import files

from games.hexxagon.page.story import tell
from games.hexxagon.page.view import move, view
from ludothek.contract.page import Page

PAGE = Page(
    scenery=lambda table: None,  # every match has the same board
    view=view,
    tell=tell,
    files=files(__package__),
    move=move,
)
