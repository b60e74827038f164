"""What is written beside the code says what the code says: help texts, and what there is to read on."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from graders.cli.main import COMMANDS, main
from graders.course.outline import assignment_names
from graders.help.topics import TOPICS
from graders.language import LANGUAGES
from graders.locations import HELP, SHIPPED
from tests.maintenance.check_reference import API, INTERNAL, MODULES, examples, public_names
from tests.maintenance.documents import GENERATED, help_of

ROOT = Path(__file__).parents[2]
WRITTEN = [
    *(
        ROOT / name
        for name in ("DESIGN.md", "README.md", "CONTRIBUTING.md", "SECURITY.md", "tests/README.md")
    ),
    *sorted((ROOT / "docs").rglob("*.md")),
]
TOPS = "graders|reports|tests|solutions|assignments|docs|\\.github|\\.ci"
# A path of the project (with a folder of ours in front), or the name of a source file or document.
PATH = re.compile(rf"(?:{TOPS})/[\w./-]*|[\w./-]+\.(?:py|js|css|j2|md|toml)")
# Names of files in users' folders, or in many of ours.
ELSEWHERE = (
    "CLASSROOM/autograders/ASSIGNMENT/autograder.py",
    "release-body.md",
    "__init__.py",
    "conftest.py",
    "course.toml",
    "rubric.toml",
    "OUT/rubric.toml",
    "results/rubric.toml",
)
# Words that French help has not; those of the command itself (names, values) are left out before.
ENGLISH = re.compile(
    r"\b(?:the|this|that|with|without|where|which|what|not|and|again|write|show|make|each|others|"
    r"required|default|error|missing|invalid)\b",
    re.IGNORECASE,
)
CODE = re.compile(r"`[^`]*`|--?[\w-]+|\[[\w|.-]+\]|\b[A-Z]{2,}\b|\(timing\)|: timing|: cpu")


@pytest.mark.parametrize("path", GENERATED, ids=lambda path: path.name)
@pytest.mark.programs
def test_what_is_generated_is_current(path):
    assert path.read_text(encoding="utf-8") == GENERATED[path](), "make docs"


def test_each_name_of_the_check_api_has_an_example_and_each_example_a_name():
    assert sorted(public_names()) == sorted(examples())
    within = {
        "answer_form.py",
        "folding_candidate.py",
        "kept_values.py",
        "quick_linear.py",
        "reference_values.py",
        "refusal.py",
        "sentence_shape.py",
        "values_of_run.py",
        "watched_candidate.py",
        "noticed.py",
        "without_hypothesis.py",
    }  # of no use in a checks file
    assert {f"{module}.py" for module in MODULES} | within == {
        path.relative_to(API).as_posix() for path in API.rglob("*.py") if path.name != "__init__.py"
    }


def test_a_checks_file_uses_nothing_that_is_not_described():
    described = {*public_names(), *INTERNAL}
    for path in SHIPPED.checks.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("graders.check_api."):
                functions = {alias.name for alias in node.names if not alias.name.isupper()}
                assert functions <= described | {"hidden", "function_checks", "behaviour_checks"}, path


def test_the_page_of_assignments_has_a_row_for_each():
    rows = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs/assignments.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(rows) == sorted(assignment_names())


def _places(page: Path) -> list[Path]:
    """Where a page's paths may lie: in the root, beside it, in the package that it describes."""
    package = [page.stem, f"graders/{page.stem}"] if page.parent.name == "design" else []
    return [ROOT, ROOT / "graders", page.parent, *(ROOT / name for name in package)]


def _missing(page: Path, text: str) -> list[str]:
    """The paths in backticks that do not exist, as the page names them."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    quoted = re.findall(r"`([^`]+)`", prose)
    written = re.findall(
        r"^```\w+ (\S+)$", text, re.MULTILINE
    )  # by the reader, with the text that the page shows
    parts = (part for name in written for part in (Path(name).name, f"{Path(name).parent}/"))
    there = {*ELSEWHERE, *written, *parts}
    paths = [name for name in quoted if PATH.fullmatch(name) and name not in there]
    return [name for name in paths if not any((place / name).exists() for place in _places(page))]


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_path_in_a_document_exists(page):
    assert _missing(page, page.read_text(encoding="utf-8")) == []


def test_a_path_that_is_not_there_is_found():
    text = "`graders/nowhere/` and `nowhere.py`, not `graders/grade.py` and `results/index.html`"
    assert _missing(ROOT / "DESIGN.md", text) == ["graders/nowhere/", "nowhere.py"]


def test_every_name_in_the_design_stands_in_the_code():
    folders = ("graders", "softmark_worker", "reports", "assignments", "tests", "solutions")
    paths = [
        path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in (".py", ".toml")
    ]
    known = set(re.findall(r"\w+", "\n".join(path.read_text(encoding="utf-8") for path in paths)))
    for page in [ROOT / "DESIGN.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs/design").glob("*.md")]:
        quoted = re.findall(r"`(\w+)`", page.read_text(encoding="utf-8"))
        assert [name for name in quoted if name not in known] == [], page


def test_every_package_has_a_page_and_every_page_a_package():
    packages = {path.parent.name for path in (ROOT / "graders").glob("*/__init__.py")}
    packages |= {"reports", "softmark_worker"}
    assert {path.stem for path in (ROOT / "docs/design").glob("*.md")} == packages


def test_the_map_of_the_tests_has_a_row_for_each_folder():
    text = (ROOT / "tests/README.md").read_text(encoding="utf-8")
    for folder in (ROOT / "tests").iterdir():
        assert not (folder / "__init__.py").is_file() or f"`{folder.name}/`" in text, folder


def test_the_design_fits_in_two_screens_and_names_every_package():
    text = (ROOT / "DESIGN.md").read_text(encoding="utf-8")
    assert text.count("\n") <= 80
    for path in (ROOT / "docs/design").glob("*.md"):
        assert f"{path.stem}/" in text, path


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_between_documents_leads_somewhere(page):
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("name", ["", *COMMANDS])
@pytest.mark.programs
def test_help_is_in_the_language_asked_for(name):
    english, french = help_of(name), help_of(name, "fr")
    assert ENGLISH.search(CODE.sub("", english))
    assert ENGLISH.findall(CODE.sub("", french)) == []


@pytest.mark.parametrize("name", ["", *COMMANDS])
@pytest.mark.programs
def test_french_help_has_every_option_of_the_english(name):
    def options(text):
        return re.findall(r"^  (?:-\w, )?(--[\w-]+)", text, re.MULTILINE)

    assert options(help_of(name)) == options(help_of(name, "fr"))


@pytest.mark.parametrize("words", [["--lang", "fr", "corpus", "nowhere"], ["corpus", "nowhere", "--lang=fr"]])
def test_wrong_usage_is_said_in_the_language_asked_for(words):
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert "Erreur\u00a0: nowhere n'est pas un corpus" in done.output
    assert "Usage\u00a0: softmark corpus" in done.output or "Usage\u00a0: main corpus" in done.output
    assert "(softmark explain corpus)" in done.output
    assert ENGLISH.findall(done.output.replace("No such file or directory", "")) == []


def test_what_was_asked_in_one_language_is_not_asked_in_it_for_ever():
    CliRunner().invoke(main, ["explain", "box", "--lang", "fr"])
    assert "The box" in CliRunner().invoke(main, ["explain", "box"]).output


@pytest.mark.programs
def test_what_computes_nothing_starts_without_pytorch():
    modules = [f"graders.cli.commands.{name.replace('-', '_')}" for name in COMMANDS]
    code = (
        "import sys; from graders.cli.main import main; main(['--help'], standalone_mode=False);"
        "assert not [name for name in sys.modules if name.startswith('graders.cli.commands.')];"
        f"import {', '.join(modules)};"
        "sys.exit('torch' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_topic_has_its_paragraph(language):
    assert {path.stem for path in (HELP / language).iterdir()} == set(TOPICS)
    assert [name for name in TOPICS if f"\n  {name} " not in help_of("explain", language)] == []
    for topic in TOPICS:
        done = CliRunner().invoke(main, ["explain", topic, "--lang", language])
        assert done.output.strip() == (HELP / language / f"{topic}.md").read_text(encoding="utf-8").strip()


def test_every_topic_that_is_named_is_there():
    texts = [*(ROOT / "graders").rglob("*.py"), *(ROOT / "reports").rglob("*.py"), *HELP.rglob("*.md")]
    named = r'with_topic\([^\n]*, "(\w+)"\)|softmark explain (\w+)'
    found = {a or b for path in texts for a, b in re.findall(named, path.read_text(encoding="utf-8"))}
    assert found - {"TOPIC"} <= set(TOPICS)
    assert {"box", "corpus", "limits", "reference", "checkpoint"} <= found


def test_paragraphs_have_short_lines_and_french_its_spaces():
    for path in HELP.rglob("*.md"):
        text = path.read_text(encoding="utf-8")
        assert max(map(len, text.split("\n"))) <= 112, path
        if path.parent.name == "fr":
            bare = re.sub(r"`[^`]*`", "x", text)
            assert not re.search(r"[^\u00a0]:\s|(?<![\u00a0\u202f])[;!?»](?=\s)|«(?!\u00a0)", bare), path
