"""`--format`: write one result in any number of formats: text, files, and those that CI runners read."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from graders.classroom.class_record import ClassRecord
from graders.classroom.marks import Mark, compute_marks
from graders.cli.ci_environment import Runner
from graders.cli.exit_status import ALL_PASSED, OURS, status
from graders.cli.option_purpose import Purpose
from graders.cli.source_locations import locate
from graders.cli.translated_command import option
from graders.language import tr, translatable
from graders.results.atomic_write import write_atomically
from graders.results.heads import Heads
from graders.results.result import Result, to_json
from reports import terminal
from reports.ci import classroom, classroom50, github, summary
from reports.ci.escape import stop_commands
from reports.gradebook.gradescope import results_json
from reports.gradebook.junit import junit_xml

# The formats that are one text, and the names of their files.
FILES = {
    "json": "softmark.json",
    "html": classroom50.PAGE,
    "junit": "junit.xml",
    "gradescope": "results.json",
}
FORMATS = ("text", *FILES, "github", "classroom", "classroom50")
# The size of a step's summary, which earlier commands of the step may have used in part.
_SUMMARY = 1_048_576 - 1_000


@dataclass(frozen=True, kw_only=True)
class Outputs:
    """The chosen output formats.

    `to` is the folder for those that are files, `heads` is drawn on pages, and their hints lead to `link_to`.
    Text shows `every` check in full if that is asked for, and says what to hand in where the `whole`
    assignment was checked.
    """

    formats: tuple[str, ...]
    to: Path | None
    runner: Runner
    fail_on: str
    heads: Heads | None = None
    every: bool = False
    whole: bool = False
    link_to: str = ""

    @property
    def only_text(self) -> bool:
        """Whether text is the only format, so that a person reads it."""
        return self.formats == ("text",)

    @property
    def has_page(self) -> bool:
        """Whether one of the formats has a page."""
        return not {"html", "classroom50"}.isdisjoint(self.formats)

    def page(self, result: Result) -> str:
        """The page of a result."""
        from reports.pages import student_page  # importing it takes time, and few ask for a page

        return student_page.render(result, heads=self.heads, link_to=self.link_to)

    def console(self) -> Console:
        """The console for messages beside the result: standard error if a program reads the output."""
        return Console() if self.only_text else Console(stderr=True)

    def status(self, result: Result) -> int:
        """The exit status; with `--fail-on ours`, a wrong submission does not fail the job."""
        if self.fail_on == "ours":
            return OURS if result.softmark_failed else ALL_PASSED
        return status([result])

    def write(self, result: Result, file: Path) -> None:
        """Write the result in every chosen format.

        Args:
            result: the result of grading.
            file: the graded file or folder.

        Raises:
            OSError: a file cannot be written.
        """
        for name in self.formats:
            _WRITERS.get(name, _file_writer(name))(self, result, file)


def format_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `--format`, `--to` and `--fail-on`; see `parse_formats`."""
    for add_option in (
        option(
            Purpose.OUTPUT,
            "--fail-on",
            type=click.Choice(["wrong", "ours"]),
            help=translatable(
                "Exit with 1 where something is wrong, or only with 3 where softmark itself failed.  "
                "[default: wrong for text alone, else ours]"
            ),
        ),
        option(
            Purpose.OUTPUT,
            "--to",
            metavar="FOLDER",
            type=click.Path(file_okay=False, path_type=Path),
            help=translatable("The folder for the formats that are files."),
        ),
        option(
            Purpose.OUTPUT,
            "--format",
            "formats",
            type=click.Choice(FORMATS),
            multiple=True,
            help=translatable("The format of the results; may be given again.  [default: text]"),
        ),
    ):
        command = add_option(command)
    return command


def parse_formats(formats: tuple[str, ...], to: Path | None, fail_on: str | None) -> Outputs:
    """Parse the options, before anything is graded.

    Raises:
        click.UsageError: the formats cannot be written.
    """
    formats = tuple(dict.fromkeys(formats)) or ("text",)
    files = [name for name in formats if name in FILES]
    if files and len(formats) > 1 and to is None:
        raise click.UsageError(
            tr("--to FOLDER is needed where --format {name} is not the only one", name=files[0])
        )
    outputs = Outputs(
        formats=formats,
        to=to,
        runner=Runner.from_environment(),
        fail_on=fail_on or ("wrong" if formats == ("text",) else "ours"),
    )
    if "classroom50" in formats:
        outputs.runner.identity()
    return outputs


def _write_text(outputs: Outputs, result: Result, file: Path) -> None:
    console = Console()
    hand_in = file.resolve().name if outputs.whole else None
    if not outputs.runner.actions:
        terminal.show(console, result, every=outputs.every, hand_in=hand_in)
        return
    with console.capture() as captured:
        terminal.show(console, result, every=outputs.every, hand_in=hand_in)
    # The text contains output of the student's code, which must not be able to send commands to the runner.
    click.echo(stop_commands(captured.get()), nl=False)


def _write_github(outputs: Outputs, result: Result, file: Path) -> None:
    _print_for_programs(github.annotations(result, locate(file, outputs.runner.workspace)))
    _print_for_programs(github.printed_output(result))
    path = outputs.runner.summary
    if path is None:
        click.echo(tr("GITHUB_STEP_SUMMARY is not set: there is no summary."), err=True)
        return
    there = path.stat().st_size if path.exists() else 0
    _append(path, summary.markdown(result, min(summary.MAX_BYTES, _SUMMARY - there)))


def _write_classroom(outputs: Outputs, result: Result, file: Path) -> None:
    _write_step_outputs(outputs, classroom.output(result, locate(file, outputs.runner.workspace)))


def _write_classroom50(outputs: Outputs, result: Result, file: Path) -> None:  # noqa: ARG001
    folder = outputs.to or Path.cwd()
    _write_file(folder / classroom50.RESULT, classroom50.result_json(result, outputs.runner.identity()))
    _write_file(folder / classroom50.RELEASE, classroom50.release_body(result))
    _write_file(folder / classroom50.PAGE, outputs.page(result))
    _write_step_outputs(outputs, classroom50.outputs(result))


def _file_writer(name: str) -> Callable[[Outputs, Result, Path], None]:
    def write(outputs: Outputs, result: Result, file: Path) -> None:  # noqa: ARG001
        text = _TEXTS[name](outputs, result)
        if outputs.to is None:
            _print_for_programs(text)
        else:
            _write_file(outputs.to / FILES[name], text)

    return write


def _mark(result: Result) -> Mark:
    """The mark without lateness and overrides, which only a class has."""
    return compute_marks([result], ClassRecord(result.assignment, result.max_points), [], None)[0]


def _write_step_outputs(outputs: Outputs, lines: str) -> None:
    """Write the outputs of the step, or print them if there is no step."""
    if outputs.runner.output is None:
        _print_for_programs(lines)
    else:
        _append(outputs.runner.output, lines)


def _print_for_programs(text: str) -> None:
    """Print what a program reads: as UTF-8, as in a file, whatever the console of this system shows."""
    click.echo(_encode(text), nl=False)


def _encode(text: str) -> bytes:
    return text.encode("utf-8", errors="replace")


def _append(path: Path, text: str) -> None:
    with path.open("ab") as file:
        file.write(_encode(text))


def _write_file(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, _encode(text))


_WRITERS = {
    "text": _write_text,
    "github": _write_github,
    "classroom": _write_classroom,
    "classroom50": _write_classroom50,
}
_TEXTS: dict[str, Callable[[Outputs, Result], str]] = {
    "json": lambda _, result: to_json(result),
    "html": Outputs.page,
    "junit": lambda _, result: junit_xml([(result, _mark(result))]),
    "gradescope": lambda _, result: results_json(result, _mark(result)),
}
