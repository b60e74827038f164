"""`--format`: a result as text, as files, and as what a runner reads; one grading, any number of them."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from graders.classroom.class_record import ClassRecord
from graders.classroom.marks import Mark, compute_marks
from graders.cli.ci_environment import Runner
from graders.cli.exit_status import ALL_PASSED, OURS, broken, status
from graders.cli.source_locations import locate
from graders.language import tr, translatable
from graders.results.atomic_write import write_atomically
from graders.results.result import Result, to_json
from reports import terminal
from reports.ci import classroom, classroom50, github, summary
from reports.ci.escape import stopped
from reports.gradebook.gradescope import results_json
from reports.gradebook.junit import junit_xml
from reports.pages import student_page

# What is one text, and what it is called where it becomes a file.
FILES = {
    "json": "softmark.json",
    "html": classroom50.PAGE,
    "junit": "junit.xml",
    "gradescope": "results.json",
}
FORMATS = ("text", *FILES, "github", "classroom", "classroom50")
# A summary takes what earlier commands of the step have left of this.
_SUMMARY = 1_048_576 - 1_000


@dataclass(frozen=True)
class Outputs:
    """The outputs that are asked for. `to` is the folder of those that are files."""

    formats: tuple[str, ...]
    to: Path | None
    runner: Runner
    fail_on: str

    @property
    def only_text(self) -> bool:
        """Whether nobody but a person reads it."""
        return self.formats == ("text",)

    def console(self) -> Console:
        """Where what is said beside the result goes: not among what a program reads."""
        return Console() if self.only_text else Console(stderr=True)

    def status(self, result: Result) -> int:
        """The exit status: with `ours`, what is wrong with a submission is no failure of the job."""
        if self.fail_on == "ours":
            return OURS if broken(result) else ALL_PASSED
        return status([result])

    def write(self, result: Result, file: Path) -> None:
        """Write all of them.

        Args:
            result: what grading found.
            file: what was graded.

        Raises:
            OSError: a file cannot be written.
        """
        for name in self.formats:
            _WRITERS.get(name, _file_of(name))(self, result, file)


def format_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `--format`, `--to` and `--fail-on`; see `parse_formats`."""
    for option in (
        click.option(
            "--fail-on",
            type=click.Choice(["wrong", "ours"]),
            help=translatable(
                "Exit with 1 where something is wrong, or only with 3 where softmark itself failed.  "
                "[default: wrong for text alone, else ours]"
            ),
        ),
        click.option(
            "--to",
            metavar="FOLDER",
            type=click.Path(file_okay=False, path_type=Path),
            help=translatable("Where the formats that are files go."),
        ),
        click.option(
            "--format",
            "formats",
            type=click.Choice(FORMATS),
            multiple=True,
            help=translatable("How to say what was found; may be given again.  [default: text]"),
        ),
    ):
        command = option(command)
    return command


def parse_formats(formats: tuple[str, ...], to: Path | None, fail_on: str | None) -> Outputs:
    """What the options mean together, here.

    Raises:
        click.UsageError: they cannot be met; said before anything is graded.
    """
    formats = tuple(dict.fromkeys(formats)) or ("text",)
    files = [name for name in formats if name in FILES]
    if files and len(formats) > 1 and to is None:
        raise click.UsageError(
            tr("--to FOLDER is needed where --format {name} is not the only one", name=files[0])
        )
    outputs = Outputs(formats, to, Runner.here(), fail_on or ("wrong" if formats == ("text",) else "ours"))
    if "classroom50" in formats:
        outputs.runner.identity()
    return outputs


def _text(outputs: Outputs, result: Result, file: Path) -> None:  # noqa: ARG001
    if not outputs.runner.actions:
        terminal.show(Console(), result)
        return
    console = Console()
    with console.capture() as captured:
        terminal.show(console, result)
    # Among it is what the student's code printed, from which the runner must take no commands.
    click.echo(stopped(captured.get()), nl=False)


def _github(outputs: Outputs, result: Result, file: Path) -> None:
    click.echo(github.annotations(result, locate(file, outputs.runner.workspace)), nl=False)
    click.echo(github.printed(result), nl=False)
    path = outputs.runner.summary
    if path is None:
        click.echo(tr("GITHUB_STEP_SUMMARY is not set: there is no summary."), err=True)
        return
    there = path.stat().st_size if path.exists() else 0
    _append(path, summary.markdown(result, min(summary.LIMIT, _SUMMARY - there)))


def _classroom(outputs: Outputs, result: Result, file: Path) -> None:
    _outputs(outputs, classroom.output(result, locate(file, outputs.runner.workspace)))


def _classroom50(outputs: Outputs, result: Result, file: Path) -> None:  # noqa: ARG001
    folder = outputs.to or Path.cwd()
    _write(folder / classroom50.RESULT, classroom50.result_json(result, outputs.runner.identity()))
    _write(folder / classroom50.RELEASE, classroom50.release_body(result))
    _write(folder / classroom50.PAGE, student_page.render(result))
    _outputs(outputs, classroom50.outputs(result))


def _file_of(name: str) -> Callable[[Outputs, Result, Path], None]:
    def write(outputs: Outputs, result: Result, file: Path) -> None:  # noqa: ARG001
        if outputs.to is None:
            click.echo(_TEXTS[name](result), nl=False)
        else:
            _write(outputs.to / FILES[name], _TEXTS[name](result))

    return write


def _marked(result: Result) -> Mark:
    """What counts here: what was found, since lateness and overrides are known to a class alone."""
    return compute_marks([result], ClassRecord(result.assignment, result.max_points), [], None)[0]


def _outputs(outputs: Outputs, lines: str) -> None:
    """The step's outputs; elsewhere they are printed."""
    if outputs.runner.output is None:
        click.echo(lines, nl=False)
    else:
        _append(outputs.runner.output, lines)


def _append(path: Path, text: str) -> None:
    with path.open("ab") as file:
        file.write(text.encode("utf-8", errors="replace"))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, text.encode("utf-8", errors="replace"))


_WRITERS = {"text": _text, "github": _github, "classroom": _classroom, "classroom50": _classroom50}
_TEXTS: dict[str, Callable[[Result], str]] = {
    "json": to_json,
    "html": student_page.render,
    "junit": lambda result: junit_xml([(result, _marked(result))]),
    "gradescope": lambda result: results_json(result, _marked(result)),
}
