"""What outlives the daemon: files, and the thread that writes them."""
