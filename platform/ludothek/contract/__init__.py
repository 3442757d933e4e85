"""What a game is made of: the interfaces between a game and the core."""
