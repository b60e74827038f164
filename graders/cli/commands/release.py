"""`softmark release`: give pages and marks back to those who handed in."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import click

from graders.batch.load_class import load_class
from graders.classroom.csv_table import BadTable
from graders.classroom.csv_table import read as read_table
from graders.classroom.intake.roster_columns import BadRoster
from graders.classroom.marks import Mark, Marker
from graders.classroom.run_marks import compute_run_marks, make_marker, read_class
from graders.cli.course_option import course_option, use_kept_course
from graders.cli.exit_status import ALL_PASSED, SOME_DID_NOT, fail
from graders.cli.language_option import lang_option, speak_as_results
from graders.cli.option_purpose import Purpose
from graders.cli.part_option import refuse_part
from graders.cli.plain_file import PlainFile
from graders.cli.translated_command import Command, option
from graders.language import list_names, tr, translatable, trn
from graders.results.atomic_write import write_atomically
from reports import publish
from reports import release as releasing
from reports.gradebook import canvas
from reports.gradebook.feedback import feedback
from reports.gradebook.fill_table import fill_table
from reports.gradebook.filled import NoColumn
from reports.release import Record, Release


@dataclass(frozen=True)
class _Asked:
    """What the command line asks for."""

    out: Path
    to: Path
    with_pages: bool
    template: Path | None
    column: str | None
    link: str | None
    with_undecided: bool

    @property
    def kind(self) -> str:
        """The ending of a file, of a zip or a table; empty for a folder."""
        ending = self.to.suffix.lower()
        return ending if ending in (".zip", ".csv") else ""


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
        "A folder, which gets the pages of each submission under a name that nobody can guess; FILE.zip, "
        "which Moodle or Canvas takes as feedback; or FILE.csv, the platform's table with the marks."
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
@option(
    Purpose.OUTPUT,
    "--template",
    type=PlainFile(),
    help=translatable("For FILE.csv: Moodle's worksheet or Canvas's gradebook, as it was downloaded."),
)
@option(
    Purpose.OUTPUT,
    "--column",
    help=translatable("The title of the grades' column, or the assignment's title or id in Canvas."),
)
@option(
    Purpose.OUTPUT,
    "--link",
    metavar="URL",
    help=translatable("The address at which the folder is served: release.csv then has each page's link."),
)
@course_option
@lang_option
def release(out: Path, to: Path, what: str, **options: Any) -> None:
    """Give the pages and the marks of OUT back: for a web server, or as Moodle and Canvas take them.

    OUT/release.csv has a row for each student, with the points and the page's link or file, for letters.

    fr: Rendre les pages et les notes de OUT : pour un serveur web, ou comme Moodle et Canvas les prennent.

        OUT/release.csv a une ligne par étudiant, avec les points et le lien ou le fichier de la page, pour un
        publipostage.
    """
    speak_as_results(out)
    refuse_part(out)
    use_kept_course(out)
    asked = _Asked(out, to, with_pages=what == "pages", **options)
    if (asked.kind == ".csv") != (asked.template is not None):
        raise click.UsageError(tr("--to FILE.csv and --template FILE belong together: give both, or neither"))
    if asked.kind == ".zip" and not asked.with_pages:
        raise click.UsageError(tr("a zip holds pages: --what marks is for a folder or for --to FILE.csv"))
    try:
        _release(asked)
    except (BadTable, BadRoster, NoColumn) as error:
        raise click.UsageError(str(error)) from error
    except ValueError as error:
        fail(str(error))
    except OSError as error:
        fail(tr("cannot write: {reason}", reason=error))


def _release(asked: _Asked) -> NoReturn:
    record = releasing.read_record(asked.out)
    chosen = _choose(asked)
    _tell_changes(record, chosen.releases)
    taken_back = [] if asked.kind else chosen.to_take_back
    taken_back = [each for each in taken_back if releasing.take_back(asked.to, record, each)]
    left_out = _write(asked, record, chosen.releases)
    if taken_back:
        names = list_names(taken_back)
        click.echo(tr("pages of an earlier release were removed: {names}", names=names), err=True)
    for sentence in chosen.held:
        click.echo(sentence, err=True)
    if left_out:
        told = translatable(
            "not in the zip, since the platform's download has no file of theirs: {names}. A folder takes all"
        )
        click.echo(tr(told, names=list_names(left_out)), err=True)
    sys.exit(SOME_DID_NOT if chosen.held or left_out else ALL_PASSED)


def _choose(asked: _Asked) -> _Chosen:
    """What may be given back."""
    results, unread = load_class(asked.out)
    marks, marker = compute_run_marks(asked.out, results).marks, make_marker(asked.out)[0]
    chosen = _Chosen([], [*unread])
    for mark in marks:
        if mark.points is None and not mark.waiting and not mark.held:
            continue  # nothing was handed in, and nothing set
        why = _why_held(mark, with_undecided=asked.with_undecided)
        release = Release(mark, {}) if why else _make(asked, mark, marks, marker)
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


def _make(asked: _Asked, mark: Mark, marks: Sequence[Mark], marker: Marker) -> Release | str:
    """What is given back of a submission, or why it stays here.

    These are the pages of the hand-in that counts, made anew where they are not current. In a platform's
    table there is no page, and the words beside the mark are looked through.
    """
    table = asked.kind == ".csv"
    if mark.machine is None or not (table or asked.with_pages):
        return Release(mark, {})
    result = publish.read(asked.out / mark.id / "result.json")
    if isinstance(result, str):
        return result
    result, _ = marker.count(asked.out, result)
    if table:
        words = Release(mark, {"feedback": feedback(mark, result, with_causes=True).encode()})
        return releasing.find_foreign(words, result, marks) or Release(mark, {})
    publish.publish_one(asked.out, result, mark)
    made = Release(mark, releasing.read_pages(asked.out, mark.id))
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


def _write(asked: _Asked, record: Record, releases: Sequence[Release]) -> list[str]:
    """Write all of it, then the record; returns the ids that have no place there."""
    with_pages = [release for release in releases if release.pages]
    places: dict[str, str] = {}
    if asked.kind == ".csv":
        _fill(asked, releases)
    elif asked.kind == ".zip":
        class_record = read_class(asked.out, ())[0]
        sources = {each.id: each.source for each in class_record.hand_ins}
        places = releasing.write_feedback_zip(asked.to, with_pages, sources, class_record.layout)
    else:
        places = releasing.write_pages(asked.to, record, with_pages)
    if asked.link and not asked.kind:
        places = {name: f"{asked.link.rstrip('/')}/{place}" for name, place in places.items()}
    left_out = [release.mark.id for release in with_pages if release.mark.id not in places]
    given = {each.mark.id: each.given for each in releases if each.mark.id not in left_out}
    for name, one in given.items():  # a release of marks alone leaves the pages that were given
        before = record.given.get(name)
        record.given[name] = one if one.pages or before is None else releasing.Given(one.points, before.pages)
    if asked.kind != ".csv":  # which has no pages, whose links stay as they are
        letters = releasing.table_of(releases, places).encode("utf-8-sig")
        write_atomically(asked.out / releasing.TABLE, letters)
    releasing.write_record(asked.out, record)
    return left_out


def _fill(asked: _Asked, releases: Sequence[Release]) -> None:
    """Fill the marks of these releases, and no others, into the platform's table."""
    assert asked.template is not None
    table = read_table(asked.template)
    results = compute_run_marks(asked.out, load_class(asked.out)[0]).results
    filled = fill_table(
        table,
        asked.template.name,
        [release.mark for release in releases],
        read_class(asked.out, results)[0],
        results,
        platform="canvas" if canvas.is_gradebook(table.texts()[0]) else "moodle",
        column=asked.column,
    )
    write_atomically(asked.to, filled.data)
    for note in filled.notes:
        click.echo(note, err=True)
    count = filled.count
    click.echo(trn("{n} grade: {path}", "{n} grades: {path}", count, path=asked.to))
