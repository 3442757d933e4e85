"""Has children that share its memory with it, and never moves."""

import os
import time

from guest import Guest

book = b"x" * 32 * 1024 * 1024
guest = Guest()
guest.wait_for_turn()
for _ in range(4):
    if not os.fork():
        break
time.sleep(60)
