"""Prints without end."""

import sys

from guest import Guest

guest = Guest()
guest.wait_for_turn()
while True:
    sys.stdout.write("x" * 65536)
