"""Speaks another protocol from the start."""

import time

from guest import Guest

guest = Guest("GET / HTTP/1.1\r\n\r\n")
time.sleep(60)
