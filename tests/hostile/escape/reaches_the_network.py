"""Reaches for the network: names, addresses, local servers, packets of its own making.

outcome: raised
"""

import socket


def attack():
    reached = []
    for family, kind, address in (
        (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 22)),
        (socket.AF_INET, socket.SOCK_STREAM, ("192.0.2.1", 80)),
        (socket.AF_INET, socket.SOCK_DGRAM, ("192.0.2.1", 53)),
        (socket.AF_INET6, socket.SOCK_STREAM, ("::1", 22)),
        (socket.AF_INET6, socket.SOCK_DGRAM, ("2001:db8::1", 53)),
        (socket.AF_INET, socket.SOCK_RAW, ("192.0.2.1", 0)),
        (socket.AF_UNIX, socket.SOCK_DGRAM, "/dev/log"),
        (socket.AF_UNIX, socket.SOCK_STREAM, "/run/dbus/system_bus_socket"),
        (socket.AF_UNIX, socket.SOCK_STREAM, "/var/run/docker.sock"),
    ):
        try:
            with socket.socket(family, kind) as there:
                there.settimeout(0.1)
                there.connect(address)
                there.send(b"softmark")
                reached.append(str(address))
        except OSError:
            pass
    try:
        reached += [name for _, name in socket.if_nameindex() if name != "lo"]
    except OSError:
        pass
    return reached


FOUND = attack()


def concat_heads(x):
    raise ValueError("softmark-harm: " + ", ".join(FOUND) if FOUND else "no network")
