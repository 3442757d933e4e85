"""The life of the process: start, configuration changes, signals, the end."""
