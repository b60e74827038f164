"""Opens files, pipes and sockets until no descriptor is left.

outcome: raised
"""

import os
import socket

KEPT = []


def take():
    try:
        while len(KEPT) < 5000:
            KEPT.extend(os.pipe())
            KEPT.append(socket.socketpair())
    except OSError:
        pass
    return len(KEPT)


COUNT = take()


def concat_heads(x):
    raise ValueError("softmark-harm: " + f"{COUNT} descriptors" if COUNT >= 5000 else "no more")
