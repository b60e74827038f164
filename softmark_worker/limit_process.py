"""The kernel's limits on this process, where the system has any: Windows has none, macOS none on memory."""

try:
    import resource
except ImportError:
    resource = None  # type: ignore[assignment]


def memory_taken() -> tuple[int, int]:
    """Bytes of address space and of data that the warm interpreter uses; 0 where the kernel does not say."""
    if resource is None:
        return 0, 0
    try:
        with open("/proc/self/statm") as file:  # noqa: PTH123
            pages = [int(field) for field in file.read().split()]
    except OSError:
        return 0, 0
    return pages[0] * resource.getpagesize(), pages[5] * resource.getpagesize()


def limit(limits: dict[str, int], taken: tuple[int, int], device: str, others: int | None) -> None:
    """Set the limits of this process, as far as the system has them.

    Args:
        limits: by name, as `Limits.for_box` makes them.
        taken: of `memory_taken`, before it took any for a submission.
        device: "cpu" or "cuda".
        others: processes and threads that the kernel counts towards its limit on them; None sets none.
    """
    if resource is None:
        return
    address_space, data = taken
    whole = limits["memory_bytes"] + limits["shared_bytes"]
    wanted = {
        "RLIMIT_DATA": data + limits["memory_bytes"] if data else None,
        # Counts shared mappings, unlike RLIMIT_DATA. Not for CUDA, which reserves far more than it uses.
        "RLIMIT_AS": address_space + whole if address_space and device == "cpu" else None,
        # Hard and soft alike: pid 1 may ignore SIGXCPU, never the kill at the hard limit.
        "RLIMIT_CPU": limits["cpu_s"],
        "RLIMIT_FSIZE": limits["file_bytes"],
        "RLIMIT_NOFILE": limits["open_files"],
        # Set inside the namespaces: outside, it would limit all submissions together.
        "RLIMIT_NPROC": None if others is None else limits["processes"] + others,
        "RLIMIT_MEMLOCK": 64 << 10,
        "RLIMIT_CORE": 0,
    }
    for name, value in wanted.items():
        if value is not None and hasattr(resource, name):
            kind = getattr(resource, name)
            hard = resource.getrlimit(kind)[1]
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(kind, (value, value))
