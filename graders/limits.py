"""What one submission may use: the host's clock for time, the kernel for the rest."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Limits for one submission in the box. Seconds are wall-clock seconds of the host's clock.

    `later_call_s` holds after a first call of an exercise has run out of time, so that code which
    always hangs costs seconds and not minutes.
    """

    call_s: float = 6.0
    later_call_s: float = 1.5
    load_s: float = 20.0
    submission_s: float = 120.0
    cpu_s: int = 120
    memory_bytes: int = 1 << 30
    processes: int = 64
    files: int = 64
    file_bytes: int = 32 << 20
    output_kept: int = 64 << 10
    output_bytes: int = 8 << 20

    def for_kernel(self) -> dict[str, int]:
        """The limits that the kernel enforces, by the names that the box's side knows."""
        names = ("cpu_s", "memory_bytes", "processes", "files", "file_bytes")
        return {name: int(getattr(self, name)) for name in names}
