"""Sends more than anybody needs."""

from contextlib import suppress

from guest import Guest

guest = Guest()
guest.wait_for_turn()
with suppress(OSError):
    while True:
        guest.say(" " * 65536)  # whitespace between elements means nothing
guest.wait_for("result")
