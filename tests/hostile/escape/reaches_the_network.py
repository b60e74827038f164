"""Reaches for the network: names, addresses, local servers, packets of its own making.

outcome: raised
says: no network
bites: open
"""

import socket


def ports():
    try:
        with open("/proc/net/tcp") as file:
            lines = [line.split() for line in file.readlines()[1:]]
    except OSError:
        return []
    return [int(line[1].partition(":")[2], 16) for line in lines if line[3] == "0A"]


def connects(port):
    try:
        socket.create_connection(("127.0.0.1", port), 0.1).close()
        return True
    except OSError:
        return False


def attack():
    reached = [f"port {port}" for port in ports() if connects(port)]
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


SEEN = []


def concat_heads(x):
    if not SEEN:
        SEEN.append(attack())
    raise ValueError("softmark-harm: " + ", ".join(SEEN[0]) if SEEN[0] else "no network")
