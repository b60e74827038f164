"""Read a submission: a notebook, a module, a folder or a zip. No code of it is run."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from graders.language import list_names, tr, trn
from graders.results.result import Remark
from graders.submission.archive import open_inner, read_archive
from graders.submission.decode import (
    CHECKPOINTS,
    Cell,
    File,
    Unreadable,
    decode,
    decode_text,
    holds_cells,
    is_checkpoint,
    is_markdown,
    kind_of,
)
from graders.submission.files import (
    SubmissionBytes,
    add_file,
    is_archive,
    read_folder,
    tidy_name,
    without_endings,
)
from graders.submission.versions import keep_latest, order_in_time

ARCHIVES = (".rar", ".7z", ".tar", ".tgz", ".gz", ".bz2", ".xz")  # those that are not opened
CHECKPOINTS_JUDGED = 3  # of those of which nothing says which is the last; each takes as long as the first
REASONS = 5  # unreadable files that the error message explains

__all__ = ["Cell", "Checkpoint", "File", "Submission", "Unreadable", "describe_unread", "read"]


@dataclass(frozen=True)
class Checkpoint:
    """A trained model as it was handed in. Only the box may open these bytes."""

    name: str
    data: bytes


@dataclass(frozen=True)
class Submission:
    """The files that one student handed in.

    `sha256` is computed from the names and bytes of the notebooks, modules and checkpoints in sorted order;
    `other_files` are the names of all other files (a text, a picture), which are not read. `unread` are the
    remarks that say why a notebook or a module could not be read. `checkpoints` are trained models of which
    nothing says which is the last. `texts` are files of Markdown without code, by name.
    """

    id: str
    files: tuple[File, ...]
    sha256: str
    remarks: tuple[Remark, ...]
    other_files: tuple[str, ...]
    checkpoints: tuple[Checkpoint, ...] = ()
    unread: tuple[Remark, ...] = ()
    texts: tuple[tuple[str, str], ...] = ()

    @property
    def checkpoint(self) -> Checkpoint | None:
        """The trained model that is judged, or judged first."""
        return self.checkpoints[0] if self.checkpoints else None


def read(path: Path, id: str | None = None) -> Submission:  # noqa: A002 - the field's name in every result
    """Read the submission at `path`. A broken file gives a remark if another file can be graded.

    Args:
        path: a notebook, a module, a folder or a zip.
        id: the id of the submission; by default the name of the file or folder.

    Raises:
        Unreadable: no file can be graded. The message is for the student.
    """
    gathered = _gather(path)
    files: list[File] = []
    _sort_out_texts(gathered)
    unread = [*gathered.remarks, *_packed_otherwise(gathered)]
    remarks: list[Remark] = []
    written = order_in_time(gathered.times)
    checkpoints = _checkpoints(gathered, written, remarks)
    for name, data in sorted(gathered.files.items()):
        if is_checkpoint(name):
            continue
        try:
            file, file_remarks = decode(name, data)
        except Unreadable as error:
            unread.append(Remark(str(error), file=name))
        else:
            files.append(replace(file, written=written.get(name)))
            remarks.extend(file_remarks)
    if not files:
        raise Unreadable(describe_unread([*unread, *remarks]) or _describe_others(path, gathered.others))
    return Submission(
        id=id if id is not None else _name_of(path),
        files=tuple(files),
        sha256=_fingerprint(gathered.files),
        remarks=(*unread, *remarks),
        other_files=tuple(gathered.others),
        checkpoints=checkpoints,
        unread=tuple(remark for remark in unread if not (remark.file and is_checkpoint(remark.file))),
        texts=tuple(
            (name, text) for name, data in sorted(gathered.texts.items()) if (text := decode_text(name, data))
        ),
    )


def _checkpoints(
    gathered: SubmissionBytes, written: Mapping[str, int], remarks: list[Remark]
) -> tuple[Checkpoint, ...]:
    """The trained models that may be the one to judge: nothing says of them that another one comes first."""
    names = [name for name in gathered.files if is_checkpoint(name)]
    latest = keep_latest(names, str)
    if all(name in written for name in latest):
        latest = [name for name in latest if written[name] == max(written[other] for other in latest)]
    depth = min((name.count("/") for name in latest), default=0)
    outermost = sorted((name for name in latest if name.count("/") == depth), key=_format, reverse=True)
    # A model in two formats beside each other: the one that is opened more safely counts.
    one_format = {str(PurePosixPath(name).parent): name for name in outermost}
    different = {gathered.files[name]: name for name in one_format.values()}
    chosen = sorted(different.values(), key=lambda name: hashlib.sha256(gathered.files[name]).digest())
    if len(names) > 1:
        message = tr("There are {count} checkpoints; {name} was judged.", count=len(names), name=chosen[0])
        remarks.append(Remark(message, file=chosen[0]))
    return tuple(Checkpoint(name, gathered.files[name]) for name in chosen[:CHECKPOINTS_JUDGED])


def _format(name: str) -> int:
    return CHECKPOINTS.index(PurePosixPath(name).name.lower())


def describe_unread(remarks: Sequence[Remark]) -> str:
    """The first reasons why files could not be read, and the number of the others."""
    reasons, left = [remark.says for remark in remarks[:REASONS]], len(remarks) - REASONS
    more = [trn("{n} more file could not be read.", "{n} more files could not be read.", left)]
    return " ".join([*reasons, *(more if left > 0 else [])])


def _describe_others(path: Path, others: Sequence[str]) -> str:
    """That there is nothing to grade, and what there is instead."""
    nothing = tr("There is no notebook (.ipynb) and no module (.py) in {name}.", name=tidy_name(path.name))
    there = tr("There is: {names}.", names=list_names(others, REASONS))
    return f"{nothing} {there}" if others else nothing


def _name_of(path: Path) -> str:
    # "alice.martin" is a folder without a suffix, and "." has a name only when resolved.
    bare = without_endings(path.name)
    return tidy_name(path.resolve().name if path.is_dir() else path.stem if bare == path.name else bare)


def _gather(path: Path) -> SubmissionBytes:
    name = tidy_name(path.name)
    try:
        if path.is_symlink():
            raise Unreadable(tr("{name} is a link: hand in the file itself.", name=name))
        if path.is_dir():
            return _read_folder_and_its_zips(path)
        if not path.is_file():
            raise Unreadable(tr("There is no file {name}.", name=name))
    except (OSError, ValueError):
        raise Unreadable(tr("{name} cannot be opened.", name=name)) from None
    if is_archive(name):
        return read_archive(path, name)
    if kind_of(name) is None:
        raise Unreadable(
            tr("{name} is no notebook (.ipynb), no module (.py), no folder and no zip of these.", name=name)
        )
    gathered = SubmissionBytes()
    add_file(gathered, path, name)
    return gathered


def _read_folder_and_its_zips(path: Path) -> SubmissionBytes:
    # Learning platforms make one folder per student, which contains the zip that the student uploaded.
    gathered = read_folder(path)
    zips = [name for name in gathered.others if is_archive(name)]
    open_inner(gathered, {name: path / name for name in zips if (path / name).is_file()})
    return gathered


def _sort_out_texts(gathered: SubmissionBytes) -> None:
    """Leave the texts in Markdown that are no notebooks to the other files."""
    alone = not gathered.holds_code
    for name in [name for name in gathered.files if is_markdown(name)]:
        if not holds_cells(name, gathered.files[name], alone=alone):
            gathered.texts[name] = gathered.files.pop(name)
            gathered.others.append(name)


def _packed_otherwise(gathered: SubmissionBytes) -> Iterator[Remark]:
    """A remark on each archive that cannot be opened here, where no code lies beside it."""
    for name in () if gathered.holds_code else gathered.others:
        if name.lower().endswith(ARCHIVES) and not is_archive(name):
            message = tr(
                "{name} is an archive that is not opened here: hand in a zip, or the files.", name=name
            )
            yield Remark(message, file=name)


def _fingerprint(files: dict[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, data in sorted(files.items()):
        # With the lengths in front, no other split into names and bytes has the same digest.
        digest.update(b"%d:%b%d:" % (len(name.encode()), name.encode(), len(data)))
        digest.update(data)
    return digest.hexdigest()
