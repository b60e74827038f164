"""Reads what the kernel tells about the machine: its log, its symbols, its devices.

outcome: raised
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def loot():
    found = []
    buffer = ctypes.create_string_buffer(1 << 16)
    if libc.klogctl(3, buffer, len(buffer)) > 0:
        found.append("the kernel's log by a system call")
    for path in ("/dev/kmsg", "/proc/kmsg", "/proc/kcore", "/dev/mem", "/dev/port", "/dev/vda", "/dev/sda",
                 "/sys/kernel/debug/sched", "/sys/firmware/dmi/tables/DMI", "/proc/1/environ", "/proc/keys"):
        try:
            with open(path, "rb", 0) as file:
                found += [path] if file.read(100) else []
        except OSError:
            pass
    return found


LOOT = loot()


def concat_heads(x):
    raise ValueError("softmark-harm: " + LOOT[0] if LOOT else "nothing is told")
