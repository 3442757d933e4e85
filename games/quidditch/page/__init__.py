"""What the web page shows of Quidditch."""

from importlib.resources import files

from games.quidditch.page.scenery import scenery
from games.quidditch.page.story import tell
from games.quidditch.page.view import view
from ludothek.contract.page import Page

PAGE = Page(scenery=scenery, view=view, tell=tell, files=files(__package__))
