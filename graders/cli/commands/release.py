"""`softmark release`: give pages and marks back to those who handed in."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click

from graders.batch.load_class import load_class
from graders.classroom.marks import Mark, Marker
from graders.classroom.run_marks import compute_run_marks, make_marker, read_class
from graders.cli.course_option import course_option, use_kept_course
from graders.cli.exit_status import ALL_PASSED, SOME_DID_NOT, fail
from graders.cli.language_option import lang_option, speak_as_results
from graders.cli.option_purpose import Purpose
from graders.cli.part_option import refuse_part
from graders.cli.translated_command import Command, option
from graders.language import list_names, tr, translatable, trn
from graders.results.atomic_write import write_atomically
from reports import publish
from reports import release as releasing
from reports.release import Record, Release


@dataclass(frozen=True)
class _Chosen:
    """What is given back; why some is not, a sentence for each; and the ids that overrides.csv holds."""

    releases: list[Release]
    held: list[str]
    to_take_back: list[str] = field(default_factory=list)


@click.command(cls=Command)
@click.argument("out", type=click.Path(exists=True, file_okay=False, path_type=Path))
@option(
    Purpose.OUTPUT,
    "--to",
    required=True,
    type=click.Path(path_type=Path),
    help=translatable(
        "A folder, which gets the pages of each submission under a name that nobody can guess; or FILE.zip, "
        "which Moodle takes as feedback files."
    ),
)
@option(
    Purpose.WORK,
    "--what",
    type=click.Choice(["pages", "marks"]),
    default="pages",
    show_default=True,
    help=translatable("Give the pages with the marks, or the marks alone."),
)
@option(
    Purpose.WORK,
    "--with-undecided",
    is_flag=True,
    help=translatable("Give those back, too, whose points are not all decided."),
)
@course_option
@lang_option
def release(out: Path, to: Path, what: str, with_undecided: bool) -> None:
    """Give the pages and the marks of OUT back: to a folder for a web server, or as a zip for Moodle.

    OUT/release.csv has a row for each student, with the points and the name of the page, for letters to all.

    fr: Rendre les pages et les notes de OUT : dans un dossier pour un serveur web, ou en zip pour Moodle.

        OUT/release.csv a une ligne par étudiant, avec les points et le nom de la page, pour un publipostage.
    """
    speak_as_results(out)
    refuse_part(out)
    use_kept_course(out)
    try:
        record = releasing.read_record(out)
        chosen = _choose(out, with_pages=what == "pages", with_undecided=with_undecided)
        _tell_changes(record, chosen.releases)
        taken_back = [] if to.suffix == ".zip" else chosen.to_take_back
        taken_back = [each for each in taken_back if releasing.take_back(to, record, each)]
        left_out = _write(out, to, record, chosen.releases)
    except ValueError as error:
        fail(str(error))
    except OSError as error:
        fail(tr("cannot write: {reason}", reason=error))
    if taken_back:
        names = list_names(taken_back)
        click.echo(tr("pages of an earlier release were removed: {names}", names=names), err=True)
    for sentence in chosen.held:
        click.echo(sentence, err=True)
    if left_out:
        told = translatable(
            "not in the zip, since they came in no folder of Moodle's download: {names}. A folder takes all"
        )
        click.echo(tr(told, names=list_names(left_out)), err=True)
    sys.exit(SOME_DID_NOT if chosen.held or left_out else ALL_PASSED)


def _choose(out: Path, *, with_pages: bool, with_undecided: bool) -> _Chosen:
    """What may be given back."""
    results, unread = load_class(out)
    marks, marker = compute_run_marks(out, results).marks, make_marker(out)[0]
    chosen = _Chosen([], [*unread])
    for mark in marks:
        if mark.points is None and not mark.waiting and not mark.held:
            continue  # nothing was handed in, and nothing set
        why = _why_held(mark, with_undecided=with_undecided)
        release = Release(mark, {}) if why else _make(out, mark, marks, marker if with_pages else None)
        if isinstance(release, str):
            why = release
        if why:
            chosen.to_take_back.extend([mark.id] if mark.held else [])
            chosen.held.append(tr("{id} is held back: {why}", id=mark.id, why=why))
        elif isinstance(release, Release):
            chosen.releases.append(release)
            chosen.held.extend(_held_members(mark))
    return chosen


def _why_held(mark: Mark, *, with_undecided: bool) -> str | None:
    if mark.held:
        return tr("overrides.csv says so")
    if mark.waiting:
        return tr("what was handed in is not graded yet")
    if mark.undecided and not with_undecided:
        return tr("points are still to be decided (--with-undecided)")
    return None


def _held_members(mark: Mark) -> Iterator[str]:
    """A sentence for each member of a team whose mark alone is held back: the page is of the whole team."""
    for member in mark.members:
        if member.held and member.student:
            told = translatable(
                "{id}: {member} is held back, as overrides.csv says, and not in release.csv; the page of the "
                "team is given"
            )
            yield tr(told, id=mark.id, member=member.student.id)


def _make(out: Path, mark: Mark, marks: Sequence[Mark], marker: Marker | None) -> Release | str:
    """The pages of the hand-in that counts, made anew where they are not current; or why they stay here.

    None without a marker.
    """
    if marker is None or mark.machine is None:
        return Release(mark, {})
    result = publish.read(out / mark.id / "result.json")
    if isinstance(result, str):
        return result
    result, _ = marker.count(out, result)
    publish.publish_one(out, result, mark)
    made = Release(mark, releasing.read_pages(out, mark.id))
    return releasing.find_foreign(made, result, marks) or made


def _tell_changes(record: Record, releases: Sequence[Release]) -> None:
    changes = releasing.find_changes(record, releases)
    click.echo(trn("{n} submission is given back", "{n} submissions are given back", len(releases)))
    for says, ids in _changes(changes):
        click.echo(f"  {tr(says, names=list_names(ids))}")


def _changes(changes: releasing.Changes) -> Iterator[tuple[str, Sequence[str]]]:
    lists = (
        (translatable("for the first time: {names}"), changes.new),
        (translatable("with other points than before: {names}"), changes.points),
        (translatable("with another page than before: {names}"), changes.pages),
    )
    yield from ((says, ids) for says, ids in lists if ids)


def _write(out: Path, to: Path, record: Record, releases: Sequence[Release]) -> list[str]:
    """Write all of it, then the record; returns the ids that have no place there."""
    left_out: list[str] = []
    with_pages = [release for release in releases if release.pages]
    if to.suffix == ".zip":
        sources = {each.id: each.source for each in read_class(out, ())[0].hand_ins}
        left_out = releasing.write_feedback_zip(to, with_pages, sources)
    else:
        releasing.write_pages(to, record, with_pages)
    given = {each.mark.id: each.given for each in releases if each.mark.id not in left_out}
    for name, one in given.items():  # a release of marks alone leaves the pages that were given
        before = record.given.get(name)
        record.given[name] = one if one.pages or before is None else releasing.Given(one.points, before.pages)
    write_atomically(out / releasing.TABLE, releasing.table_of(record, releases).encode("utf-8-sig"))
    releasing.write_record(out, record)
    return left_out
