"""Settings of the daemon and of its games, and where they come from."""
