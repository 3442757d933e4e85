"""Observability: counters, loop lag, the log."""
