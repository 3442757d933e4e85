"""Takes shared memory and lets go of it, so that it belongs to no process."""

import ctypes
import time

from guest import Guest

SIZE, PRIVATE, CREATE = 128 * 1024 * 1024, 0, 0o1600

guest = Guest()
guest.wait_for_turn()
libc = ctypes.CDLL(None)
libc.shmat.restype = ctypes.c_void_p
segment = libc.shmget(PRIVATE, ctypes.c_size_t(SIZE), CREATE)
address = libc.shmat(segment, None, 0)
ctypes.memset(address, 1, SIZE)
libc.shmdt(ctypes.c_void_p(address))
time.sleep(60)
