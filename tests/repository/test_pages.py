"""Every page can be found, links lead to headings that exist, and what is to be typed is a command."""

import re
import shlex
from pathlib import Path

import click
import pytest

from graders.cli.main import COMMANDS, main
from graders.cli.translated_command import Option
from tests.repository.test_docs import ROOT, WRITTEN

DOCS = ROOT / "docs"
MOST_WORDS = 900
LINK = re.compile(r"\]\(([^)#:]*)(#[^)]*)?\)")
TO_A_PAGE = r"\[[^]]+\]\(([^)]+)\)"
ROW = re.compile(rf"^\| {TO_A_PAGE} \| [^|]+ \|$|^\| [^|[]+ \| {TO_A_PAGE} \|$", re.MULTILINE)
INLINE = re.compile(r"`(softmark [^`]+)`")
BLOCK = re.compile(r"^ *```(?:console|yaml|sh)\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
TYPED = re.compile(r"(?:^ *(?:\$|- run:|run:) |[&;|] *|ssh \w+ |^)(softmark [^&;|#\n]*)", re.MULTILINE)


def shown_words(text: str) -> int:
    """The words of a page that a reader sees, code included."""
    return len(re.sub(r"\]\([^)]*\)|<!--.*?-->", "]", text).split())


def test_the_first_page_is_short():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert shown_words(text) <= MOST_WORDS
    assert shown_words("# A [link of words](docs/README.md) <!-- not this -->") == 6


def test_the_first_page_tells_the_two_commands_before_all_else():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    first = next(BLOCK.finditer(text))[1]
    assert re.findall(r"^\$ (make \w+)", first, re.MULTILINE) == ["make demo", "make test"]


def rows(page: Path) -> list[str]:
    """The pages to which the tables of a page lead: the first cell is a link and no more, or the last."""
    return sorted(first or last for first, last in ROW.findall(page.read_text(encoding="utf-8")))


def test_every_page_is_in_the_index_once():
    pages = {path.name for path in DOCS.glob("*.md")} - {"README.md"}
    folders = {path.parent for path in DOCS.glob("*/*") if path.suffix != ".png"} - {DOCS / "locale"}
    begun = {f"{path.name}/{'README.md' * (path / 'README.md').is_file()}" for path in folders}
    assert [row for row in rows(DOCS / "README.md") if not row.startswith("..")] == sorted(pages | begun)


@pytest.mark.parametrize("index", sorted(DOCS.glob("*/README.md")), ids=lambda index: index.parent.name)
def test_every_page_of_a_folder_is_on_its_first_page_once(index):
    assert rows(index) == sorted({path.name for path in index.parent.glob("*.md")} - {"README.md"})


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub gives to the headings of a page."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {"#" + re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_to_a_heading_leads_to_one(page):
    for name, anchor in LINK.findall(page.read_text(encoding="utf-8")):
        target = page.parent / name if name else page
        assert not anchor or anchor in anchors(target), f"{name}{anchor}"


def test_every_command_is_described_on_a_page_that_somebody_wrote():
    written = [page for page in WRITTEN if page.name != "commands.md"]
    text = "\n".join(page.read_text(encoding="utf-8") for page in written)
    assert [name for name in COMMANDS if f"softmark {name}" not in text] == []


def words_of(line: str) -> list[str]:
    """The words after `softmark`, without dots for more words."""
    return [word for word in shlex.split(line)[1:] if word != "..."]


def typed_lines(text: str) -> list[str]:
    return [line for block in BLOCK.findall(text) for line in TYPED.findall(block.replace("\\\n", ""))]


def command_of(words: list[str]) -> tuple[click.Command, click.Context, list[str]]:
    """The command that the first words name, and the other words."""
    command, context = main, click.Context(main, **main.context_settings)
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        found = command.get_command(context, words[0])
        assert found is not None, words[0]
        command, context, words = found, click.Context(found, parent=context), words[1:]
    return command, context, words


def require_known(words: list[str]) -> None:
    """Fail where a sentence names a command that does not exist, or an option that it has not."""
    command, context, words = command_of(words)
    names = {name for parameter in command.get_params(context) for name in parameter.opts}
    assert {word for word in words if word.startswith("-")} <= names


def require_typed(words: list[str]) -> None:
    """Fail where a command cannot be typed so: an unknown option, a missing or a wrong value."""
    command, context, words = command_of(words)
    for parameter in command.params:
        words = parameter.rewrite(words) if isinstance(parameter, Option) else words
    values, _, _ = command.make_parser(context).parse_args(words)
    for parameter in command.params:
        given = values.get(str(parameter.name))
        if isinstance(parameter.type, click.Choice) and isinstance(given, str):
            parameter.type.convert(given, parameter, context)


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_commands_on_a_page_are_there_with_these_options(page):
    text = page.read_text(encoding="utf-8")
    for line in typed_lines(text):
        require_typed(words_of(line))
    for line in INLINE.findall(text):
        require_known(words_of(line))


@pytest.mark.parametrize(
    "words", ["check x --exercises y", "grades x", "export x numbers", "handout x --out"]
)
def test_a_wrong_command_on_a_page_is_found(words):
    (line,) = typed_lines(f"```console\n$ softmark {words}   # as it is\n```\n")
    with pytest.raises((click.UsageError, AssertionError)):
        require_typed(words_of(line))


def test_a_wrong_option_in_a_sentence_is_found():
    with pytest.raises(AssertionError):
        require_known(words_of("softmark grade --heads-of"))
