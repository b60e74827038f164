"""What a box needs to use NVIDIA's GPUs: the driver's device nodes and libraries, and nothing more.

They are looked up on the file system, since CUDA must start only in a submission's own process.
"""

import ctypes.util
from dataclasses import dataclass
from pathlib import Path

# Where a driver's libraries are if not among the system's: container runtimes, NixOS, WSL.
_ELSEWHERE = (
    "/usr/local/nvidia/lib64",
    "/run/opengl-driver/lib",
    "/usr/lib/wsl/lib",
    "/usr/local/cuda/compat",
)


@dataclass(frozen=True)
class Gpu:
    """Device nodes, and folders of libraries outside of the system's."""

    devices: tuple[str, ...]
    libraries: tuple[str, ...]


def find_gpu() -> Gpu | None:
    """The GPU files of this machine; None without a driver."""
    nodes = [*Path("/dev").glob("nvidia[0-9]*"), *Path("/dev").glob("nvidia*")]
    devices = sorted({str(node) for node in nodes if node.is_char_device()})
    if not devices and Path("/dev/dxg").exists():
        devices = ["/dev/dxg"]
    elsewhere = tuple(folder for folder in _ELSEWHERE if any(Path(folder).glob("libcuda.so*")))
    if not devices or not (elsewhere or ctypes.util.find_library("cuda")):
        return None
    return Gpu(tuple(devices), elsewhere)
