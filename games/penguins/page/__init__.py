"""What the web page shows of Penguins."""

from importlib.resources import files

from games.penguins.page.story import tell
from games.penguins.page.view import move, view
from ludothek.contract.page import Page

PAGE = Page(
    scenery=lambda table: None,  # the ice is all there is, and it melts away
    view=view,
    tell=tell,
    files=files(__package__),
    move=move,
)
