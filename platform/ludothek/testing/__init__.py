"""What tests of a game need, wherever the game lives."""
