"""The web page: watch matches, look back, play, organise."""
