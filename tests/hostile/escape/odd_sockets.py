"""Opens sockets of kinds that no course needs: netlink, packets, the kernel's ciphers, virtual machines.

outcome: raised
says: no sockets
bites: open
"""

import socket

KINDS = {
    "netlink": (16, socket.SOCK_RAW, 0),
    "packet": (17, socket.SOCK_RAW, 768),
    "alg": (38, socket.SOCK_SEQPACKET, 0),
    "vsock": (40, socket.SOCK_STREAM, 0),
    "xdp": (44, socket.SOCK_RAW, 0),
    "can": (29, socket.SOCK_RAW, 1),
    "tipc": (30, socket.SOCK_DGRAM, 0),
    "bluetooth": (31, socket.SOCK_RAW, 1),
    "rds": (21, socket.SOCK_SEQPACKET, 0),
}


def attack():
    opened = []
    for name, (family, kind, protocol) in KINDS.items():
        try:
            socket.socket(family, kind, protocol).close()
            opened.append(name)
        except OSError:
            pass
    return opened


SEEN = []


def concat_heads(x):
    if not SEEN:
        SEEN.append(attack())
    raise ValueError("softmark-harm: " + ", ".join(SEEN[0]) if SEEN[0] else "no sockets")
