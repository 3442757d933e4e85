"""What the daemon can say about itself: counters, loop lag, the log."""
