"""The organiser's interface: HTTP on a Unix socket; file permissions decide who is one."""
