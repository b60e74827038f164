"""The wheel by which students install softmark, built from this checkout without the solutions."""

import base64
import hashlib
import io
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from graders import locations
from graders.handout.refused import Refused
from graders.handout.reproducible_zip import make_zip
from graders.language import tr

_TIME = 300  # seconds; it takes two


def build_wheel() -> tuple[str, bytes]:
    """Build the wheel without a network; return its name and its bytes, which are the same each time.

    Raises:
        Refused: there is no checkout to build it from, or hatchling is not installed or fails.
    """
    if not (locations.ROOT / "pyproject.toml").is_file():
        raise Refused(tr("softmark's wheel is made in a checkout, and this is none: use --softmark"))
    with tempfile.TemporaryDirectory(prefix="softmark-") as folder:
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
        build = subprocess.run(
            command, cwd=locations.ROOT, capture_output=True, text=True, timeout=_TIME, check=False
        )
        wheels = list(Path(folder).glob("softmark-*.whl"))
        if build.returncode or len(wheels) != 1:
            reason = (build.stderr.strip() or build.stdout.strip()).split("\n")[-1]
            message = tr(
                "softmark's wheel cannot be made ({reason}): install hatchling, or use --softmark",
                reason=reason,
            )
            raise Refused(message)
        return wheels[0].name, wheels[0].read_bytes()


def add_file(wheel: bytes, path: str, data: bytes) -> bytes:
    """The wheel with a file more, or with another in its place; its list of files names it."""
    with zipfile.ZipFile(io.BytesIO(wheel)) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    listed = next(name for name in files if name.endswith(".dist-info/RECORD"))
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    others = [line for line in files[listed].splitlines(True) if not line.startswith(f"{path},".encode())]
    files[listed] = f"{path},sha256={digest},{len(data)}\n".encode() + b"".join(others)
    return make_zip({**files, path: data})
