"""Sends rubbish."""

from guest import Guest

guest = Guest()
guest.wait_for_turn()
guest.say("\x00}{<<<")
guest.wait_for("result")
