"""Leaves a process behind that has left its group, and ignores what it can."""

import os
import signal
import time

from guest import Guest

if not os.fork():
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(60)
guest = Guest()
guest.wait_for_turn()
