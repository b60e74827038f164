"""Writes on every descriptor what the warden writes when the box itself has failed.

outcome: failed or raised
"""

import os

LINES = b'{"failed": "OSError: no box"}\n{"exit": 0, "cpu_s": 0, "max_rss_kb": 0}\n{"forked": true}\n'


def concat_heads(x):
    for number in range(1024):
        try:
            os.write(number, LINES)
        except OSError:
            pass
    os._exit(97)
