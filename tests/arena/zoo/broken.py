"""Crashes before it connects."""

raise RuntimeError("no opening book")
