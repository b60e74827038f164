"""Sets the machine's clocks back, through the C library.

outcome: raised
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def attack():
    past = (ctypes.c_long * 2)(0, 0)
    done = [str(clock) for clock in range(12) if libc.clock_settime(clock, ctypes.byref(past)) == 0]
    if libc.settimeofday(ctypes.byref(past), None) == 0 or libc.stime(ctypes.byref(ctypes.c_long(0))) == 0:
        done.append("the time of day")
    return done


def guarded():
    try:
        return attack()
    except AttributeError:
        return []


FOUND = guarded()


def concat_heads(x):
    raise ValueError("softmark-harm: " + ", ".join(FOUND) if FOUND else "time goes on")
