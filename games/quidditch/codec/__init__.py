"""Frames to messages and back, and what is written into files in the same form."""
