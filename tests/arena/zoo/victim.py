"""Is ended by a signal when it has to move."""

import os
import signal

from guest import Guest

guest = Guest()
guest.wait_for_turn()
os.kill(os.getpid(), signal.SIGSEGV)
