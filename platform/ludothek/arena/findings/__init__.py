"""What tournaments have shown, for people and programs: text, JSON, CSV, a page."""
