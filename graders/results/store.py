"""Results on disk: OUT/<id>/result.json, written atomically, and read as a file that others may change."""

import hashlib
import json
import math
from dataclasses import replace
from pathlib import Path

from graders.language import LANGUAGES, Language, tr
from graders.results.atomic_write import make_plain_folder, write_atomically
from graders.results.read_below import read_below
from graders.results.result import CHANGED, Result, from_json, to_json

RESULT = "result.json"
RESULT_LIMIT = 32_000_000  # bytes; a result has 30 to 100 KB
MOST_POINTS = 1e6  # of a submission
ROUNDING = 1e-6
_NO_DIGEST = '"digest": ""'


def write_result(out: Path, result: Result) -> Path:
    """Write a result to its folder under `out`, and return the folder."""
    folder = out / result.submission.id
    make_plain_folder(folder)
    text = to_json(replace(result, digest=""))
    before, _, after = text.rpartition(_NO_DIGEST)
    text = f'{before}"digest": "{_digest(text)}"{after}'
    write_atomically(folder / RESULT, text.encode(), durable=True)
    return folder


def read_result(out: Path, id: str) -> Result | None:  # noqa: A002 - the field's name in every result
    """The result under `out` for a submission; None if there is none that can be read."""
    try:
        return load_result(out, id)
    except (OSError, ValueError, RecursionError):
        return None


def load_result(out: Path, id: str) -> Result:  # noqa: A002
    """The result under `out` for a submission.

    Raises:
        OSError: it cannot be read, is no plain file, or is too large.
        ValueError: it is none, or one of another submission, or its points are impossible.
        RecursionError: it is nested too deeply.
    """
    return parse_result(read_below(out, RESULT_LIMIT, id, RESULT).text, id)


def parse_result(text: str, id: str) -> Result:  # noqa: A002
    """The result of a submission in the text of its file.

    Its digest is `CHANGED` if somebody has changed the text since it was written, else empty.

    Raises:
        ValueError: it is none, or one of another submission, or its points are impossible.
    """
    result = from_json(text)
    if result.submission.id != id:
        raise ValueError(tr("its id is not the name of its folder"))
    if not all(map(math.isfinite, (result.points, result.max_points, result.undecided_points))):
        raise ValueError(tr("its points are not numbers"))
    if not _has_possible_points(result):
        raise ValueError(tr("its points are impossible"))
    if not result.digest:  # a version that wrote none
        return result
    before, _, after = text.rpartition(f'"digest": "{result.digest}"')
    is_as_written = result.digest == _digest(f"{before}{_NO_DIGEST}{after}")
    return replace(result, digest="" if is_as_written else CHANGED)


def language_of_results(out: Path) -> Language | None:
    """The language of the sentences in `out`'s results; None where no result says it."""
    for path in sorted(out.glob(f"*/{RESULT}")):
        try:
            text = read_below(out, RESULT_LIMIT, path.parent.name, RESULT).text
            language = json.loads(text).get("language")
        except (OSError, ValueError, AttributeError, RecursionError):
            continue
        if language in LANGUAGES:
            return next(known for known in LANGUAGES if known == language)
    return None


def _has_possible_points(result: Result) -> bool:
    """Whether each exercise has at most its points, and the submission what its exercises have together."""
    parts = [(e.points, e.undecided_points, e.max_points) for e in result.exercises]
    whole = (result.points, result.undecided_points, result.max_points)
    if not all(
        points >= 0 and undecided >= 0 and points + undecided <= most + ROUNDING and most <= MOST_POINTS
        for points, undecided, most in (*parts, whole)
    ):
        return False
    return abs(result.points - sum(points for points, _, _ in parts)) <= ROUNDING * (1 + len(parts))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
