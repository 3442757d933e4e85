"""The wire log: every frame received or sent, as lines in files."""
