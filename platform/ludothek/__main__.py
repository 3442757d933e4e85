"""python -m ludothek does the same as the command platform."""

from ludothek.cli import main

main()
