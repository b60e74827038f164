"""`softmark similar`: submissions of a class that somebody should read side by side."""

import sys
from pathlib import Path

import click

from graders.cli.course_option import course_option, use_kept_course
from graders.cli.exit_status import ALL_PASSED, fail
from graders.cli.language_option import lang_option, speak_as_results
from graders.cli.option_purpose import Purpose
from graders.cli.part_option import refuse_part
from graders.cli.translated_command import Command, option
from graders.language import number, tr, translatable, trn
from graders.locations import course
from graders.results.result import Result
from reports import publish
from reports.pages import similar_page
from reports.similarity.find_pairs import FEWEST, Pair, find_pairs

PAGE = "similar.html"
MOST = 40  # pairs on the page


@click.command(cls=Command)
@click.argument("out", type=click.Path(exists=True, file_okay=False, path_type=Path))
@option(
    Purpose.OUTPUT,
    "--to",
    type=click.Path(dir_okay=False, path_type=Path),
    help=translatable("The page to write; by default OUT/similar.html."),
)
@course_option
@lang_option
def similar(out: Path, to: Path | None) -> None:
    """List the submissions in OUT whose code is alike, and write a page that shows each pair side by side.

    No point depends on it: likeness is a question, and no answer.

    fr: Lister les rendus de OUT dont le code se ressemble, et écrire une page qui montre chaque paire côte à
        côte.

        Aucun point n'en dépend : une ressemblance est une question, et non une réponse.
    """
    speak_as_results(out)
    refuse_part(out)
    use_kept_course(out)
    results = _read(out)
    if len(results) < FEWEST:
        message = translatable("of fewer than {n} submissions nobody knows what is alike by chance")
        click.echo(tr(message, n=FEWEST))
        sys.exit(ALL_PASSED)
    pairs = find_pairs(results, _handed_out(results))
    click.echo(
        trn("{n} pair is to be read side by side", "{n} pairs are to be read side by side", len(pairs))
    )
    for pair in pairs[:MOST]:
        click.echo(f"  {_describe(pair)}")
    by_id = {result.submission.id: result for result in results}
    path = to or out / PAGE
    try:
        publish.write(path, similar_page.render(results[0].title, pairs[:MOST], by_id))
    except OSError as error:
        fail(tr("cannot write: {reason}", reason=error))
    click.echo(tr("written: {path}", path=path))
    sys.exit(ALL_PASSED)


def _describe(pair: Pair) -> str:
    return f"{pair.first}  {pair.second}  {number(pair.share, '.0%')}  {', '.join(pair.exercises)}"


def _read(out: Path) -> list[Result]:
    results = []
    for path in sorted(out.glob("*/result.json")):
        read = publish.read(path)
        if isinstance(read, str):
            click.echo(read, err=True)
        else:
            results.append(read)
    return results


def _handed_out(results: list[Result]) -> dict[str, str]:
    """For each exercise the text that all were given, where the course has it here."""
    found = {}
    for name in {e.name for result in results for e in result.exercises}:
        try:
            found[name] = course().stub(name).read_text(encoding="utf-8")
        except OSError:
            continue
    return found
