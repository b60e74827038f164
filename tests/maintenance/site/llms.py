"""`llms.txt`: what there is to read on the site, as text, for programs that read for people."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from graders.language import speaking
from tests.maintenance.site.smallest_cases import all_exercises
from tests.maintenance.site.stage import ROOT, SECTION, with_links

ROW = re.compile(r"^\| \[([^]]+)\]\(([^)]+)\) \| (.+) \|$", re.MULTILINE)
HEAD = """# softmark

> softmark grades the programming exercises of a course on Transformers: it runs students' functions and
> modules in a sandbox, compares them with a reference, and shows the smallest case of what is wrong.
"""


def llms_txt() -> str:
    """The text, with an address for each page, relative to the site."""
    index = ROOT / "docs/README.md"
    titles = SECTION.split(with_links(index, index.read_text(encoding="utf-8")))[1:]
    parts = [HEAD]
    for title, text in zip(titles[::2], titles[1::2], strict=True):
        lines = [f"- [{name}]({_address(link)}): {says}" for name, link, says in ROW.findall(text)]
        parts.append("\n".join([f"## {title}\n", *lines, ""]))
    parts.append("\n".join(["## Exercises, with their checks and known mistakes\n", *_exercises(), ""]))
    return "\n".join(parts)


def _exercises() -> Iterator[str]:
    with speaking("en"):
        for exercise in all_exercises():
            yield f"- [{exercise.title}](en/exercises/{exercise.name}.html): `{exercise.symbol}`"


def _address(link: str) -> str:
    return str(PurePosixPath("en", link).with_suffix(".html"))
