"""Ends when it has to move."""

from guest import Guest

guest = Guest()
guest.wait_for_turn()
