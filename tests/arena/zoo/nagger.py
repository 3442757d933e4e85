"""Asks for something that it may not have, and then only for its turn."""

import time

from guest import Guest

guest = Guest()
guest.wait_for("joined")
guest.say('<observe roomId="game"/>')
guest.wait_for("errorpacket")
time.sleep(60)
