"""Takes its seat, and complains when the server says goodbye."""

from guest import Guest

guest = Guest()
while guest.socket.recv(65536):
    pass
raise RuntimeError("the server is gone")
