"""A bare pickle without an archive, which older readers run.

ends: bad
says: cannot be opened
"""

import os
import pickle
from pathlib import Path


class Trap:
    def __reduce__(self):
        return os.system, ("touch /tmp/softmark-was-here",)


def make(folder: Path) -> Path:
    path = folder / "minigpt.pt"
    path.write_bytes(pickle.dumps(Trap(), protocol=2))
    return path
