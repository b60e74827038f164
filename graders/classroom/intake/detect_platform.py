"""Which platform's download a folder is: the one place that decides."""

from collections.abc import Sequence
from datetime import tzinfo
from pathlib import Path

from graders.classroom.class_record import Unmatched
from graders.classroom.intake import canvas, github_classroom, moodle, nbgrader, plain_folder
from graders.classroom.intake.download import SUFFIXES, Download
from graders.language import tr
from graders.submission.files import tidy_name

_HIDDEN = frozenset({"__MACOSX", "Thumbs.db", "desktop.ini"})


def download(
    root: Path, assignment: str, zone: tzinfo, unpacked: str = "", ours: Path | None = None
) -> Download:
    """What lies under `root`.

    Args:
        root: a folder.
        assignment: the assignment's name, by which some platforms name folders.
        zone: what times without a time zone are in.
        unpacked: the name of the zip that `root` was unpacked from.
        ours: the folder of the run's results, which may lie among them.
    """
    paths, hidden = _visible(root)
    paths = [path for path in paths if ours is None or path.resolve() != ours.resolve()]
    inner = paths[0] if len(paths) == 1 and paths[0].is_dir() else None
    download_read = _of_a_platform(root, paths, assignment, zone)
    if download_read is None and inner is not None:
        # A zip, or whatever unpacked it, often puts a folder around all.
        inside, more = _visible(inner)
        download_read = _of_a_platform(inner, inside, assignment, zone)
        if download_read is None and unpacked and _is_around(inner, inside, unpacked):
            download_read = plain_folder.read(inside)
        hidden += more if download_read else []
    download_read = download_read or plain_folder.read(paths)
    return Download(download_read.layout, download_read.found, (*download_read.unmatched, *hidden))


def _of_a_platform(root: Path, paths: Sequence[Path], assignment: str, zone: tzinfo) -> Download | None:
    if place := nbgrader.root_of(root):
        beside = paths if place != root else ()
        return nbgrader.read(place, beside, assignment, zone)
    if moodle.fits(paths):
        return moodle.read(paths)
    if canvas.fits(paths):
        return canvas.read(paths)
    if github_classroom.fits(paths):
        return github_classroom.read(paths, assignment)
    return None


def _visible(root: Path) -> tuple[list[Path], list[Unmatched]]:
    """What lies in a folder, and what nobody looks at there."""
    paths, hidden = [], []
    for path in sorted(root.iterdir()):
        if path.is_symlink():
            hidden.append(Unmatched(tidy_name(path.name), tr("it is a link, and was not followed")))
        elif path.name.startswith(".") or path.name in _HIDDEN:
            hidden.append(Unmatched(tidy_name(path.name), tr("it is hidden, and was not graded")))
        else:
            paths.append(path)
    return paths, hidden


def _is_around(folder: Path, inside: Sequence[Path], unpacked: str) -> bool:
    stem = Path(unpacked).stem.casefold()
    if stem.startswith(folder.name.casefold()):  # "class (1).zip" has "class" in it
        return True
    return sum(path.is_dir() for path in inside) > 1 and not any(p.suffix in SUFFIXES for p in inside)
