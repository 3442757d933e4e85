"""A verdict for people, for programs, for a CI and to hand in."""
