"""The wheel by which students install softmark, without the solutions: built here, or as pip installed it.

Its version says what is in it, such as 0.1.0+c3f9a1b2d4e5: pip installs a wheel from a folder over another
build only if the version differs, and then in both directions.
"""

import base64
import hashlib
import io
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

from graders import locations
from graders.handout.refused import HandoutRefused
from graders.handout.reproducible_zip import make_zip
from graders.language import tr, translatable

_TIME = 300  # seconds; it takes two
_DIGITS = 12
_RECORD = ".dist-info/RECORD"
_OF_AUTHORS = "graders/course/skeletons/"  # what `softmark new` copies: it looks like solutions
_OF_ANOTHER = f"graders/{locations.HANDED_OUT.name}/"  # the course whose handout brought this softmark
_OF_PIP = {"INSTALLER", "REQUESTED", "direct_url.json"}


def build_wheel(further: Mapping[str, bytes] | None = None) -> tuple[str, bytes]:
    """Make the wheel without a network; return its name and its bytes, which are the same each time.

    Args:
        further: files that it holds too, or that take the place of others, by their paths in it.

    Raises:
        HandoutRefused: this is neither a checkout nor installed, or hatchling is not installed or fails.
    """
    is_checkout = (locations.ROOT / "pyproject.toml").is_file()
    return name_by_content(_build() if is_checkout else _pack_installed(), further or {})


def _build() -> bytes:
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
            raise HandoutRefused(message)
        return wheels[0].read_bytes()


def _pack_installed() -> bytes:
    """The wheel from which pip installed softmark: its files as they lie here, without what pip added."""
    try:
        listed = metadata.distribution("softmark").files or []
    except metadata.PackageNotFoundError:
        listed = []
    names = {path.as_posix(): path for path in listed if path.suffix != ".pyc" and path.parts[0] != ".."}
    if not any(name.startswith("graders/") for name in names):
        message = translatable(
            "softmark's wheel is made in a checkout, or where pip installed softmark: use --softmark"
        )
        raise HandoutRefused(tr(message))
    kept = {name: path for name, path in names.items() if path.name not in _OF_PIP}
    return make_zip({name: Path(str(path.locate())).read_bytes() for name, path in kept.items()})


def name_by_content(wheel: bytes, further: Mapping[str, bytes]) -> tuple[str, bytes]:
    """A wheel for students, under a version that follows from its content: its name and its bytes.

    It has further files, and not what only authors of exercises need.

    Equal contents have equal versions, on every machine; other contents have other ones (PEP 440, local
    versions).
    """
    with zipfile.ZipFile(io.BytesIO(wheel)) as packed:
        names = [name for name in packed.namelist() if not name.startswith((_OF_AUTHORS, _OF_ANOTHER))]
        files = {**{name: packed.read(name) for name in names}, **further}
    listed = next(name for name in files if name.endswith(_RECORD))
    del files[listed]
    old = listed.removesuffix(_RECORD)
    name, _, released = old.partition("-")
    # The letter in front: a part of a version that has digits alone is a number, and 007 the same as 7.
    version = f"{released}+c{_digest(files)}"
    new, metadata = f"{name}-{version}.dist-info", f"{old}.dist-info/METADATA"
    files[metadata] = files[metadata].replace(
        f"\nVersion: {released}\n".encode(), f"\nVersion: {version}\n".encode(), 1
    )
    files = {path.replace(f"{old}.dist-info/", f"{new}/", 1): data for path, data in files.items()}
    files[f"{new}/RECORD"] = _record(files, f"{new}/RECORD")
    return f"{name}-{version}-py3-none-any.whl", make_zip(files)


def _digest(files: Mapping[str, bytes]) -> str:
    of_files = [f"{name} {hashlib.sha256(data).hexdigest()}" for name, data in sorted(files.items())]
    return hashlib.sha256("\n".join(of_files).encode()).hexdigest()[:_DIGITS]


def _record(files: Mapping[str, bytes], own: str) -> bytes:
    """The list of a wheel's files with their digests, in which it names itself without one."""
    lines = [f"{name},sha256={_in_base64(data)},{len(data)}" for name, data in sorted(files.items())]
    return "\n".join([*lines, f"{own},,", ""]).encode()


def _in_base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
