"""The state directory, and the background thread that writes files."""
