"""Results of files that were handed in before: OUT/<id>/attempts/<digest of the files>.json.

They are kept as they were written, since nobody can grade them again: a platform's next download has other
files.
"""

import re
from pathlib import Path

from graders.results.atomic_write import make_plain_folder, write_atomically
from graders.results.read_below import read_below
from graders.results.result import Result
from graders.results.store import RESULT, RESULT_LIMIT, parse_result

FOLDER = "attempts"
MOST = 100  # of a submission that are read
_DIGEST = re.compile("[0-9a-f]{64}")


def keep_attempt(out: Path, new: Result) -> None:
    """Keep the result that stands there, if it is of other files than the one that is to be written.

    Raises:
        NotPlain: what has the folder's name is no folder.
        OSError: it cannot be written.
    """
    id = new.submission.id  # noqa: A001 - the field's name in every result
    try:
        file = read_below(out, RESULT_LIMIT, id, RESULT)
        old = parse_result(file.text, id)
    except (OSError, ValueError, RecursionError):  # there is none
        return
    files = old.submission.sha256
    if files == new.submission.sha256 or old.softmark_failed or not _DIGEST.fullmatch(files):
        return
    path = _path(out, id, files)
    make_plain_folder(path.parent)
    write_atomically(path, file.data, durable=True)


def has_attempts(out: Path, id: str) -> bool:  # noqa: A002 - the field's name in every result
    """Whether there are results of files that were handed in before."""
    folder = out / id / FOLDER
    return folder.is_dir() and not folder.is_symlink()


def is_kept(out: Path, id: str, sha256: str) -> bool:  # noqa: A002
    """Whether the result of these files was kept."""
    return has_attempts(out, id) and _path(out, id, sha256).is_file()


def _path(out: Path, id: str, sha256: str) -> Path:  # noqa: A002
    return out / id / FOLDER / f"{sha256[:16]}.json"


def read_attempts(out: Path, id: str) -> list[Result]:  # noqa: A002
    """The results of files that were handed in before, in the order of digests; none that is damaged."""
    if not has_attempts(out, id):
        return []
    results = []
    for path in sorted((out / id / FOLDER).glob("*.json"))[:MOST]:
        try:
            results.append(parse_result(read_below(out, RESULT_LIMIT, id, FOLDER, path.name).text, id))
        except (OSError, ValueError, RecursionError):
            continue
    return results
