"""Detect which platform a downloaded folder comes from. No other module decides this."""

from collections.abc import Sequence
from datetime import tzinfo
from functools import partial
from pathlib import Path

from graders.classroom.class_record import Unmatched, is_results_folder
from graders.classroom.intake import (
    canvas,
    github_classroom,
    gradescope,
    moodle,
    nbgrader,
    nbgrader_exchange,
    plain_folder,
)
from graders.classroom.intake.download import Download
from graders.language import tr
from graders.submission.files import may_be_handed_in, tidy_name

_HIDDEN = frozenset({"__MACOSX", "Thumbs.db", "desktop.ini"})


def read_download(
    root: Path,
    assignment: str,
    zone: tzinfo,
    unpacked: str = "",
    ours: Path | None = None,
    named: str | None = None,
) -> Download:
    """Read the download in the folder `root`.

    Args:
        root: the folder.
        assignment: the assignment's name, which some platforms use in the names of folders.
        zone: the time zone of times that name none.
        unpacked: the name of the zip that `root` was unpacked from, if any.
        ours: the folder of the run's results, which is left out if it lies in `root`.
        named: the platform's name of the assignment, where it is another.
    """
    paths, hidden = _list_visible(root)
    paths = [path for path in paths if ours is None or path.resolve() != ours.resolve()]
    inner = paths[0] if len(paths) == 1 and paths[0].is_dir() else None
    read = partial(_read_as_platform, assignment=assignment, zone=zone, named=named)
    download = read(root, paths)
    if download is None and inner is not None:
        # Zips often hold one folder around everything.
        inside, more = _list_visible(inner)
        download = read(inner, inside)
        if download is None and unpacked and _is_around(inner, inside, unpacked):
            download = plain_folder.read(inside)
        hidden += more if download else []
    download = download or plain_folder.read(paths)
    return Download(download.layout, download.submissions, (*download.unmatched, *hidden))


def _read_as_platform(
    root: Path, paths: Sequence[Path], assignment: str, zone: tzinfo, named: str | None
) -> Download | None:
    if place := nbgrader.root_of(root):
        beside = paths if place != root else ()
        return nbgrader.read(place, beside, assignment, zone, named)
    if place := nbgrader_exchange.root_of(root):
        return nbgrader_exchange.read(place, paths if place != root else (), assignment, named)
    if gradescope.fits(paths):
        return gradescope.read(paths)
    if moodle.fits(paths):
        return moodle.read(paths)
    if canvas.fits(paths):
        return canvas.read(paths)
    if github_classroom.fits(paths):
        return github_classroom.read(paths, named or assignment)
    return None


def _list_visible(root: Path) -> tuple[list[Path], list[Unmatched]]:
    """List a folder; links and hidden files are listed as unmatched."""
    paths, hidden = [], []
    for path in sorted(root.iterdir()):
        if path.is_symlink():
            hidden.append(Unmatched(tidy_name(path.name), tr("it was not graded, since it is a link")))
        elif path.name.startswith(".") or path.name in _HIDDEN:
            hidden.append(Unmatched(tidy_name(path.name), tr("it was not graded, since it is hidden")))
        elif is_results_folder(path):
            message = tr("it was not graded, since it holds results of softmark")
            hidden.append(Unmatched(tidy_name(path.name), message))
        else:
            paths.append(path)
    return paths, hidden


def _is_around(folder: Path, inside: Sequence[Path], unpacked: str) -> bool:
    stem = Path(unpacked).stem.casefold()
    if stem.startswith(folder.name.casefold()):  # "class (1).zip" contains the folder "class"
        return True
    return sum(path.is_dir() for path in inside) > 1 and not any(may_be_handed_in(p.name) for p in inside)
