"""Leading a client through the situations that its protocol has, clause by clause."""
