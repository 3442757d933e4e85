"""Tournaments of programs: which games are played, how they ended, and who is better."""
