"""Computes without end."""

from guest import Guest

guest = Guest()
guest.wait_for_turn()
while True:
    pass
