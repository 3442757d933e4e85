"""Opens a room of its own instead of taking its seat, and waits there."""

from guest import Guest

guest = Guest("<protocol><join/>")
guest.wait_for_turn()
