"""Hangs up when it has to move."""

import time

from guest import Guest

guest = Guest()
guest.wait_for_turn()
guest.socket.close()
time.sleep(60)
