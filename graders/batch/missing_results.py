"""What a run finds missing in its folder of results: someone removed it, or a part of it, meanwhile."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from graders.batch.run_seed import NAME as SEED
from graders.classroom.class_record import FILE as CLASS_RECORD
from graders.language import list_names, tr, translatable


def describe_missing(out: Path, ids: Iterable[str]) -> str | None:
    """A sentence that names what a run has written and is no longer there; None where all is.

    Args:
        out: the folder of results.
        ids: of the submissions whose results were written.
    """
    missing = list(_missing(out, ids))
    if not missing:
        return None
    message = translatable(
        "{folder} was removed or changed while the run went on. Missing: {names}. "
        "Look also for what you have written there yourself, as overrides.csv; the same command grades again"
    )
    return tr(message, folder=out, names=list_names(missing))


def _missing(out: Path, ids: Iterable[str]) -> Iterator[str]:
    yield from (name for name in (SEED, CLASS_RECORD) if not (out / name).is_file())
    yield from (f"{id}/result.json" for id in sorted(ids) if not _is_there(out / id))  # noqa: A001


def _is_there(folder: Path) -> bool:
    return not folder.is_symlink() and (folder / "result.json").is_file()
