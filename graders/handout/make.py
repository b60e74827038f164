"""Make a handout: build its files, search them for leaks, grade them, and only then write them."""

import shutil
import tempfile
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path

from graders.answer_key.answer_key import AnswerKey
from graders.handout.kept_proofs import is_known_clean, is_verified, keep_as_clean, keep_as_verified
from graders.handout.leak_check import find_leaks
from graders.handout.platform_files import Bundle, Files
from graders.handout.refused import HandoutRefused
from graders.handout.reproducible_zip import mode
from graders.handout.verify import verify
from graders.language import tr
from graders.sandbox.box import Box

_SHOWN = 5  # leaks named in the message


def make_handout(bundle: Bundle, open_box: Callable[[], AbstractContextManager[Box]], seed: int) -> Files:
    """The files of a handout by name. First they are graded and searched for leaks, once for each content.

    Args:
        bundle: what is handed out.
        open_box: opens a box for the length of a block, where something is graded.
        seed: that of the draws.

    Raises:
        HandoutRefused: they give solutions away, a stub counts as an attempt, or the reference loses points.
    """
    files = bundle.files()
    # `with_solutions` puts them into Gradescope's autograder on purpose.
    own = {name for name in files if bundle.with_solutions and name == "autograder.zip"}
    searched = {name: data for name, data in files.items() if name not in own}
    new = {name: data for name, data in searched.items() if not is_known_clean(name, data)}
    if new and (leaks := find_leaks(new)):
        raise HandoutRefused(tr("it would give solutions away: {places}", places="; ".join(leaks[:_SHOWN])))
    keep_as_clean(new)
    if not is_verified(bundle, seed):
        # With the key that students get, if any, the references need not answer all draws once more.
        key = AnswerKey(bundle.answer_key) if bundle.answer_key else None
        with open_box() as box:
            verify(bundle.sheet, bundle.assignment, box, seed, key)
        keep_as_verified(bundle, seed)
    return files


def write_handout(out: Path, files: Mapping[str, bytes]) -> None:
    """Write a handout whole or not at all: into a temporary folder first, which is then renamed.

    Into a folder that exists, files are moved one by one, so that other files in it stay: a repository,
    notes. An older wheel of softmark is deleted.
    """
    out = out.resolve()  # only a resolved "." has a name and a parent
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
