"""Ludothek: one game server for several course projects."""

__version__ = "0.1.0"
