"""Never connects."""

import time

time.sleep(60)
