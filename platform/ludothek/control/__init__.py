"""The organiser's interface: HTTP on a Unix socket, for whoever may open its file."""
