"""Takes more and more memory."""

import time

from guest import Guest

guest = Guest()
guest.wait_for_turn()
eaten = []
while True:
    eaten.append(bytearray(b"x" * 4 * 1024 * 1024))
    time.sleep(0.01)
