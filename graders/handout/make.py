"""A handout from its beginning to its end: made, proven, looked through, and only then written."""

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from graders.handout.leak_check import leaks
from graders.handout.platform_files import Bundle, Files
from graders.handout.refused import Refused
from graders.handout.reproducible_zip import mode
from graders.handout.verify import prove
from graders.language import tr
from graders.sandbox.box import Box

_SHOWN = 5  # leaks that are named


def made(bundle: Bundle, box: Box, seed: int) -> Files:
    """The files of a handout by name, once it is seen that they are right and give nothing away.

    Raises:
        Refused: they are not, or do.
    """
    files = bundle.files()
    # Gradescope's autograder may have the solutions on purpose.
    own = {name for name in files if bundle.with_solutions and name == "autograder.zip"}
    found = leaks({name: data for name, data in files.items() if name not in own})
    if found:
        raise Refused(tr("it would give solutions away: {places}", places="; ".join(found[:_SHOWN])))
    prove(bundle.sheet, bundle.assignment, box, seed)
    return files


def write(out: Path, files: Mapping[str, bytes]) -> None:
    """Write a handout whole or not at all: beside its place first, then under its name.

    Into a folder that is there file by file, so that what else lies in it stays: a repository, notes.
    A wheel of softmark from another time is taken out.
    """
    out = out.resolve()  # "." has a name and a parent only so
    out.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    try:
        for name, data in files.items():
            path = part / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            path.chmod(mode(data))
        part.chmod(0o755)
        if not out.exists():
            part.rename(out)
            return
        for name in files:
            path = out / name
            path.parent.mkdir(parents=True, exist_ok=True)
            (part / name).replace(path)
        for old in out.rglob("wheels/softmark-*.whl"):
            if old.relative_to(out).as_posix() not in files:
                old.unlink()
    finally:
        shutil.rmtree(part, ignore_errors=True)
