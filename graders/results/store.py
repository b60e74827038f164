"""Results on disk: OUT/<id>/result.json, each written atomically."""

import json
from pathlib import Path

from graders.language import LANGUAGES, Language
from graders.results.atomic_write import write_atomically
from graders.results.result import Result, from_json, to_json


def write_result(out: Path, result: Result) -> Path:
    """Write a result to its folder under `out`, and return the folder."""
    folder = out / result.submission.id
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / "result.json", to_json(result).encode(), durable=True)
    return folder


def read_result(out: Path, id: str) -> Result | None:  # noqa: A002 - the field's name in every result
    """The result under `out` for a submission; None if there is none that can be read."""
    try:
        result = from_json((out / id / "result.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return result if result.submission.id == id else None


def language_of_results(out: Path) -> Language | None:
    """The language of the sentences in `out`'s results; None where no result says it."""
    for path in sorted(out.glob("*/result.json")):
        try:
            language = json.loads(path.read_text(encoding="utf-8")).get("language")
        except (OSError, ValueError, AttributeError, RecursionError):
            continue
        if language in LANGUAGES:
            return next(known for known in LANGUAGES if known == language)
    return None
