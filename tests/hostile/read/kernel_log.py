"""Reads what the kernel tells about the machine: its log, its symbols, its devices.

outcome: raised
says: nothing is told
bites: open
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def loot():
    found = []
    buffer = ctypes.create_string_buffer(1 << 16)
    if libc.klogctl(3, buffer, len(buffer)) > 0:
        found.append("the kernel's log by a system call")
    for path in ("/dev/kmsg", "/proc/kmsg", "/proc/kcore", "/dev/mem", "/dev/port", "/dev/vda", "/dev/sda",
                 "/sys/kernel/debug/sched", "/sys/firmware/dmi/tables/DMI", "/proc/1/environ", "/proc/keys", "/sys/kernel/notes",
                 "/sys/kernel/uevent_seqnum", "/sys/devices/system/cpu/online"):
        try:
            with open(path, "rb", 0) as file:
                found += [path] if file.read(100) else []
        except OSError:
            pass
    return found


SEEN = []


def concat_heads(x):
    if not SEEN:
        SEEN.append(loot())
    raise ValueError("softmark-harm: " + SEEN[0][0] if SEEN[0] else "nothing is told")
