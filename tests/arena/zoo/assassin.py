"""Sends all signals to everybody whom it sees, but for itself."""

import os
import signal
import time

from guest import Guest

assert os.getppid() == 1  # outside of a sandbox, it would hit the whole machine
guest = Guest()
guest.wait_for_turn()
for number in signal.valid_signals():
    os.kill(1, number)
time.sleep(60)
