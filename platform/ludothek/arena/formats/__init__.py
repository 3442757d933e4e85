"""Formats of tournaments: who plays whom, as a function of the seed and the results so far."""
