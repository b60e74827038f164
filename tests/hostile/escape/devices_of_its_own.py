"""Makes device files for the machine's memory and disks and reads them.

outcome: raised
says: no devices
bites: open
"""

import os
import stat


def attack():
    found = []
    for name, kind, major, minor in (("mem", stat.S_IFCHR, 1, 1), ("sda", stat.S_IFBLK, 8, 0), ("vda", stat.S_IFBLK, 254, 0),
                                     ("none", stat.S_IFCHR, 0, 0)):
        for folder in ("/tmp", "/dev", "/dev/shm", "."):
            try:
                os.mknod(f"{folder}/softmark-trace-{name}", kind | 0o666, os.makedev(major, minor))
                found.append(f"made {name}")
            except OSError:
                pass
    for path in ("/dev/mem", "/dev/kmem", "/dev/vda", "/dev/sda", "/dev/nvme0n1", "/dev/loop-control", "/dev/fuse",
                 "/dev/kvm", "/dev/net/tun", "/dev/vhost-vsock", "/dev/dri/card0", "/dev/nvidia0", "/dev/snapshot"):
        try:
            os.close(os.open(path, os.O_RDWR))
            found.append(path)
        except OSError:
            pass
    return found


SEEN = []


def concat_heads(x):
    if not SEEN:
        SEEN.append(attack())
    raise ValueError("softmark-harm: " + ", ".join(SEEN[0]) if SEEN[0] else "no devices")
