"""Stops every clock of Python and then loops for ever.

checks: puts_each_head_in_its_columns
outcome: timed_out
says: an endless loop
"""

import datetime
import time


def stop():
    for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time", "time_ns", "monotonic_ns"):
        setattr(time, name, lambda: 0)
    time.sleep = lambda seconds: None
    datetime.datetime = None


def concat_heads(x, _=stop()):
    while time.monotonic() < 1:
        pass
    return x
