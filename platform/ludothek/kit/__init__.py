"""Small parts that several games, and the core itself, are built from."""
