"""Moves when it is the turn of the other seat."""

from guest import Guest

guest = Guest()
guest.wait_for("welcomeMessage")
guest.say(f'<room roomId="{guest.room}"><data class="move"><to x="0" y="0"/></data></room>')
guest.wait_for("result")
