"""Put the pages of the site together: the Markdown that the project has, and pages made of exercises.

What GitHub shows as `docs/students.md` is `students.md` here, `docs/README.md` is the first page, and pages
of the root lie beside them. Links are changed accordingly.
"""

import posixpath
import re
import shutil
from collections.abc import Collection, Iterator
from pathlib import Path

from graders.language import Language, speaking
from tests.maintenance.site.exercise_pages import exercise_pages

ROOT = Path(__file__).parents[3]
OF_THE_ROOT = ("README", "CONTRIBUTING", "DESIGN", "SECURITY", "CHANGELOG")
LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)#\s]+)")
SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
EXERCISES_WITH = "Instructors"  # the readers under whom the pages of exercises stand
# What there is to read in French; every other page says that it is in English alone.
IN_ENGLISH_ALONE = "Cette page n'existe qu'en anglais."
IN_FRENCH = ("index", "students", "outcomes", "first-class", "hand-out")


def stage(folder: Path, language: Language) -> None:
    """Write the pages of the site in a language into a folder, which is emptied before."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for source, target in _sources():
        if source.suffix == ".md":
            _write(folder / target, with_links(source, source.read_text(encoding="utf-8")), language)
        else:
            (folder / target).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, folder / target)
    for name, text in _lists():
        _write(folder / name, text, language)
    with speaking(language):
        for name, text in exercise_pages():
            _write(folder / name, text, language)


def stage_pages(folder: Path, names: Collection[str]) -> None:
    """Write some English pages alone, without what they link to."""
    for source, target in _sources():
        if target.removesuffix(".md") in names:
            _write(folder / target, with_links(source, source.read_text(encoding="utf-8")), "en")


def place_of(source: Path) -> str:
    """Where a file of the project, or a folder of pages, lies on the site."""
    name = source.relative_to(ROOT).as_posix()
    if name in ("docs/README.md", "docs"):
        return "index.md"
    if name in ("docs/design", "docs/recipes"):
        return f"{source.name}/index.md"
    if name == "README.md":
        return "overview.md"
    if name == "tests/README.md":
        return "tests.md"
    return name.removeprefix("docs/")


def with_links(source: Path, text: str) -> str:
    """The text of a page with its links as they are on the site; code keeps what it has."""

    def on_site(link: re.Match[str]) -> str:
        target = (source.parent / link[1]).resolve()
        return posixpath.relpath(place_of(target), posixpath.dirname(place_of(source)) or ".")

    parts = re.split(r"(^```.*?^```|`[^`\n]+`)", text, flags=re.DOTALL | re.MULTILINE)
    return "".join(part if part.startswith("`") else LINK.sub(on_site, part) for part in parts)


def sections(index: str) -> Iterator[tuple[str, list[str]]]:
    """The readers on the first page, each with the names of its pages."""
    titles = SECTION.split(index)[1:]
    for title, text in zip(titles[::2], titles[1::2], strict=True):
        pages = [link.removesuffix(".md") for link in LINK.findall(text) if link.endswith(".md")]
        yield title, pages if title != EXERCISES_WITH else [*pages, "exercises/index"]


def _sources() -> Iterator[tuple[Path, str]]:
    pages = [ROOT / f"{name}.md" for name in OF_THE_ROOT] + [ROOT / "tests/README.md"]
    for path in (*pages, *sorted((ROOT / "docs").rglob("*"))):
        if path.is_file() and "locale" not in path.parts:
            yield path, place_of(path)


def _lists() -> Iterator[tuple[str, str]]:
    """The first pages of folders."""
    design = sorted((ROOT / "docs/design").glob("*.md"))
    yield "design/index.md", _list("The packages", [f"[{p.stem}]({p.name})" for p in design], design)
    recipes = sorted((ROOT / "docs/recipes").iterdir())
    yield "recipes/index.md", _list("Recipes", [f"[{p.name}]({p.name})" for p in recipes], [])


def _list(title: str, lines: list[str], pages: list[Path]) -> str:
    body = "\n".join(f"- {line}" for line in lines)
    return f"# {title}\n\n{body}\n{toctree('', [p.stem for p in pages])}"


def toctree(caption: str, names: list[str]) -> str:
    """The directive that puts pages into the site's navigation."""
    if not names:
        return ""
    head = f":caption: {caption}\n" if caption else ""
    return "\n```{toctree}\n:hidden:\n" + head + "\n" + "\n".join(names) + "\n```\n"


def _write(target: Path, text: str, language: Language) -> None:
    name = target.stem
    if name == "index" and SECTION.search(text) and "{toctree}" not in text:
        text += "".join(toctree(title, names) for title, names in sections(text))
    if language == "fr" and name not in IN_FRENCH and "exercises" not in target.parts:
        head, _, rest = text.partition("\n")
        text = f"{head}\n\n```{{note}}\n{IN_ENGLISH_ALONE}\n```\n{rest}"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
