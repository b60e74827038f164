"""The lowest versions that pyproject.toml claims, as constraints for pip.

    python -m tests.maintenance.lowest build/lowest.txt

It needs nothing but Python, so that the environment can be made with what it prints.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXTRAS = ("course", "cluster", "parquet")  # what users install; the tools of `dev` are ours
_BOUND = re.compile(r"([\w.-]+)(?:\[[\w,-]+\])?>=([\w.]+)(.*)")


def lowest_versions(pyproject: str) -> Iterator[str]:
    """A line `name==version`, with the marker if there is one, for each dependency.

    Raises:
        ValueError: one has no lower bound, so nobody knows whether it works.
    """
    project = tomllib.loads(pyproject)["project"]
    extras = project["optional-dependencies"]
    for text in (*project["dependencies"], *(text for extra in EXTRAS for text in extras.get(extra, ()))):
        if (bound := _BOUND.fullmatch(text)) is None:
            raise ValueError(f"{text}: no lower bound")
        name, version, marker = bound.groups()
        yield f"{name}=={version}{marker}"


if __name__ == "__main__":
    lines = lowest_versions((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    Path(sys.argv[1]).write_text("\n".join(lines) + "\n", encoding="utf-8")
