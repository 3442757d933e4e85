"""The wire log: every frame that was heard or said, as lines in files, for who must explain it."""
