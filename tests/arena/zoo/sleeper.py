"""Never moves, and does not want to be ended."""

import signal
import time

from guest import Guest

signal.signal(signal.SIGTERM, signal.SIG_IGN)
guest = Guest()
guest.wait_for_turn()
time.sleep(60)
