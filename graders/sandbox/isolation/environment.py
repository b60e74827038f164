"""The whole environment of student code. This module imports nothing: a command's start needs it."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# A fixed hash seed makes sets of strings iterate alike in every run: the same findings every time.
ENVIRONMENT = {
    "PATH": "/usr/bin",
    "HOME": "/tmp",  # noqa: S108 (inside the box: a scratch folder of its own)
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",
    "MPLBACKEND": "agg",
    "TORCHDYNAMO_DISABLE": "1",  # torch.compile needs a compiler; disabled, it runs functions as they are
    "MALLOC_ARENA_MAX": "2",  # else every thread reserves address space that the limits count
    # Huge pages: to fork the warm interpreter takes half as long. The fork itself gets none.
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}

# What a program on the student's own machine has of its environment: without these, Windows finds no library
# and no folder for files, Python not the packages that the host has found, and Matplotlib searches for fonts
# for seconds.
_KEPT = (
    *("PATH", "HOME", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "CONDA_PREFIX"),
    *("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TMPDIR", "TEMP", "TMP"),
    *("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "HOMEDRIVE", "HOMEPATH"),
    *("APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "NUMBER_OF_PROCESSORS"),
)
_FOR_FORKS = ("PATH", "HOME", "GLIBC_TUNABLES")


def portable_environment(host: "Mapping[str, str]") -> dict[str, str]:
    """The environment of a program that runs without a wall: what decides its answers is as in a box."""
    kept = {name: host[name] for name in _KEPT if name in host}
    fixed = {name: value for name, value in ENVIRONMENT.items() if name not in _FOR_FORKS}
    return {**kept, **fixed, "PYTHONUTF8": "1"}
