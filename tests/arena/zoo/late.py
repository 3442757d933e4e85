"""Takes some time to start, and ends without having connected."""

import sys
import time

time.sleep(float(sys.argv[1]))
