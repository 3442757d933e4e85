"""Running games: connections, lobbies, and the endpoints they meet in."""
