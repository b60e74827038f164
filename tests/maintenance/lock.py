"""`requirements.lock`: the versions of constraints.txt with the digests of the files that pip may take.

    make lock

pip-tools asks the package index that pip is configured for. Of PyTorch only the CPU build is listed, for the
Python and the machine that runs this: the build on PyPI brings gigabytes of CUDA packages.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
LOCK = ROOT / "requirements.lock"
OPTIONS = (
    "--generate-hashes --allow-unsafe --strip-extras --no-header --no-annotate --no-emit-index-url "
    "--no-emit-options --no-emit-find-links --no-emit-trusted-host "
    "--extra cluster --extra course --extra excel --extra parquet --extra dev --constraint constraints.txt"
)
HEADER = """\
# The versions of constraints.txt with their digests; `make lock` writes this file.
#
#     pip install --require-hashes -r requirements.lock
#
# torch is its CPU build for Linux on x86-64, which pip finds with
# --extra-index-url https://download.pytorch.org/whl/cpu; the build on PyPI is another file, and is refused.
"""
_COMMENT = re.compile(r"^\s*#.*\n", re.MULTILINE)
_PIN = re.compile(r"^(\S+==\S+?)(?:\+cpu)? \\$", re.MULTILINE)


def pins(text: str) -> dict[str, str]:
    """The version of each package in a lock or constraints file, by its normalised name."""
    found = re.findall(r"^([\w.-]+)==([^\s+]+)", text, re.MULTILINE)
    return {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in found}


def digests(text: str) -> dict[str, int]:
    """How many digests each package of a lock has, by its name as written."""
    counts: dict[str, int] = {}
    for line in text.splitlines():
        if found := re.match(r"([\w.-]+)==", line):
            counts[name := found[1]] = 0
        elif re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", line):
            counts[name] += 1
    return counts


def main(pip_compile: str) -> None:
    """Write the lock file anew."""
    part = LOCK.with_suffix(".part")
    subprocess.run(
        [pip_compile, *OPTIONS.split(), "--quiet", "--output-file", part, "pyproject.toml"],
        check=True,
        cwd=ROOT,
    )
    # Without comments, and without the label of the build: constraints.txt has none, and the digest tells.
    LOCK.write_text(
        HEADER + _PIN.sub(r"\1 \\", _COMMENT.sub("", part.read_text(encoding="utf-8"))), encoding="utf-8"
    )
    part.unlink()


if __name__ == "__main__":
    main(sys.argv[1])
