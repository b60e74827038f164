"""The whole environment of student code. This module imports nothing: a command's start needs it."""

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
