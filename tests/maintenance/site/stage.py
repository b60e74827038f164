"""Put the pages of the site together: the Markdown that the project has, and pages made of exercises.

What GitHub shows as `docs/students.md` is `students.md` here, `docs/README.md` is the first page, and pages
of the root lie beside them. Links are changed accordingly.
"""

import posixpath
import re
import shutil
from collections.abc import Collection, Iterator
from functools import partial
from pathlib import Path

from graders.language import Language, speaking
from tests.maintenance import documents
from tests.maintenance.site.exercise_pages import exercise_pages
from tests.maintenance.site.gallery import gallery_page

ROOT = Path(__file__).parents[3]
OF_THE_ROOT = ("README", "CONTRIBUTING", "DESIGN", "SECURITY", "CHANGELOG")
LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)#\s]+)")
MISTAKE = re.compile(r"`(\w+)--(\w+)`")  # a known mistake: on the site it leads to its section
FILE = re.compile(r"^```(?!console)(\w+) (\S+)$", re.MULTILINE)  # a block that is a file of the reader's
SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
# The readers under whom the pages of exercises and the gallery stand.
EXERCISES_WITH = "Instructors"
OF_EXERCISES = ("exercises/index", "gallery")
# What there is to read in French; every other page says that it is in English alone.
IN_ENGLISH_ALONE = "Cette page n'existe qu'en anglais."
# What a tutorial shows as printed is in English: a reader's own terminal may say it in French.
SHOWN_IN_ENGLISH = (
    "Ce que les commandes affichent est montré ici en anglais. Sur un système en français, softmark le dit "
    "en français\u00a0; `--lang en` le dit en anglais."
)
TUTORIALS = ("first-check", "first-class", "first-cluster", "own-course", "tutorial-exercise")
# What softmark itself says in French, in place of what the document shows of it.
SAID_IN_FRENCH = {
    "commands.md": partial(documents.page, "fr"),
    "students.md": partial(documents.students, "fr"),
}
IN_FRENCH = (
    "index",
    "students",
    "outcomes",
    "first-check",
    "first-class",
    "first-cluster",
    "hand-out",
    "own-course",
    "tutorial-exercise",
    "assignments",
    "box",
    "ci",
    "heads",
    "trained",
    "analysis",
    "course-toml",
    "library",
    "many-machines",
    "mistake-pages",
    "peers",
    "well-known-mistakes",
    "overview",
    "how-to/index",
    *(f"how-to/{path.stem}" for path in sorted((ROOT / "docs/how-to").glob("[a-z]*.md"))),
)


def stage(folder: Path, language: Language) -> None:
    """Write the pages of the site in a language into a folder, which is emptied before."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for source, target in _sources():
        if source.suffix == ".md":
            _write(folder, target, with_names_of_files(_text_of(source, language)), language)
        else:
            (folder / target).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, folder / target)
    for name, text in _lists():
        _write(folder, name, text, language)
    with speaking(language):
        for name, text in exercise_pages():
            _write(folder, name, text, language)
        _write(folder, "gallery.md", gallery_page(), language)


def stage_some(folder: Path, language: Language, names: Collection[str], exercises: Collection[str]) -> None:
    """Write some documents, the pages of some exercises and the gallery, without what they link to."""
    stage_pages(folder, names, language)
    with speaking(language):
        for name, text in exercise_pages(exercises):
            _write(folder, name, text, language)
        _write(folder, "gallery.md", gallery_page(), language)


def stage_pages(folder: Path, names: Collection[str], language: Language = "en") -> None:
    """Write some documents alone, without what they link to."""
    for source, target in _sources():
        if target.removesuffix(".md") in names:
            _write(folder, target, _text_of(source, language), language)


def _text_of(source: Path, language: Language) -> str:
    said = SAID_IN_FRENCH.get(place_of(source)) if language == "fr" else None
    return with_links(source, said() if said else source.read_text(encoding="utf-8"))


def place_of(source: Path) -> str:
    """Where a file of the project, or a folder of pages, lies on the site."""
    name = source.relative_to(ROOT).as_posix()
    if name == "README.md":
        return "overview.md"
    if name == "tests/README.md":
        return "tests.md"
    name = f"{name}/README.md" if source.is_dir() else name  # the first page of a folder
    return re.sub(r"^docs/", "", re.sub(r"README\.md$", "index.md", name))


def with_links(source: Path, text: str) -> str:
    """The text of a page with its links as they are on the site; code keeps what it has."""

    def on_site(link: re.Match[str]) -> str:
        target = (source.parent / link[1]).resolve()
        return posixpath.relpath(place_of(target), posixpath.dirname(place_of(source)) or ".")

    def section(found: re.Match[str]) -> str:
        page = posixpath.relpath(f"exercises/{found[1]}.md", posixpath.dirname(place_of(source)) or ".")
        return f"[{found[2].replace('_', ' ')}]({page}#{found[1]}--{found[2]})"

    text = MISTAKE.sub(section, text)
    parts = re.split(r"(^```.*?^```|`[^`\n]+`)", text, flags=re.DOTALL | re.MULTILINE)
    return "".join(part if part.startswith("`") else LINK.sub(on_site, part) for part in parts)


def with_names_of_files(text: str) -> str:
    """The text of a page whose blocks have their files' names above them, where a reader sees them."""
    return FILE.sub(r"```{code-block} \1\n:caption: \2\n", text)


def sections(index: str) -> Iterator[tuple[str, list[str]]]:
    """The readers on the first page, each with the names of its pages."""
    titles = SECTION.split(index)[1:]
    for title, text in zip(titles[::2], titles[1::2], strict=True):
        pages = [link.removesuffix(".md") for link in LINK.findall(text) if link.endswith(".md")]
        yield title, pages if title != EXERCISES_WITH else [*pages, *OF_EXERCISES]


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


def _write(folder: Path, page: str, text: str, language: Language) -> None:
    name = page.removesuffix(".md")
    if name == "index":
        text += "".join(toctree(title, names) for title, names in sections(text))
    elif name.endswith("/index") and "{toctree}" not in text:
        text += toctree("", [link.removesuffix(".md") for link in _of_the_folder(text)])
    if language == "fr":
        text = _with_note(text, _note_in_french(name))
    (folder / page).parent.mkdir(parents=True, exist_ok=True)
    (folder / page).write_text(text, encoding="utf-8")


def _note_in_french(name: str) -> str:
    if name in (*IN_FRENCH, "commands", "gallery") or name.startswith("exercises/"):
        return SHOWN_IN_ENGLISH if name in TUTORIALS else ""
    return IN_ENGLISH_ALONE


def _with_note(text: str, note: str) -> str:
    """The text of a page with a note, if there is one, below its title."""
    head, _, rest = text.partition("\n")
    return f"{head}\n\n```{{note}}\n{note}\n```\n{rest}" if note else text


def _of_the_folder(text: str) -> dict[str, None]:
    """The pages to which the first page of a folder links that lie beside it, each once."""
    links = (link for link in LINK.findall(text) if link.endswith(".md"))
    return dict.fromkeys(link for link in links if not link.startswith(".."))
