"""Whether a tag may be released, and what the release says: the page of its version in CHANGELOG.md.

    python -m tests.maintenance.release v0.1.0 > notes.md

It needs nothing but Python.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
UNRELEASED = "Unreleased"


def sections(changelog: str) -> dict[str, str]:
    """The text below the heading of each version, and below "Unreleased"."""
    parts = re.split(r"^## (.+)$", changelog, flags=re.MULTILINE)
    return {name: text.strip() for name, text in zip(parts[1::2], parts[2::2], strict=True)}


def find_problems(tag: str, version: str, changelog: str) -> list[str]:
    """What must be mended before the tag is released."""
    found = sections(changelog)
    return [
        *([f"the tag {tag} is not v{version}, as pyproject.toml says"] if tag != f"v{version}" else []),
        *([f"CHANGELOG.md has no section {version}"] if not found.get(version) else []),
        *([f"CHANGELOG.md has lines under {UNRELEASED}"] if found.get(UNRELEASED) else []),
    ]


def main(tag: str) -> None:
    """Write the notes of the release; end with 1 and the problems if there are any."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    if problems := find_problems(tag, version, changelog):
        sys.exit("\n".join(problems))
    sys.stdout.write(sections(changelog)[version] + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
