"""The French catalogue: `make messages` adds the new sentences of the code and removes those that it dropped.

A new sentence has an empty translation; `test_catalogue.py` fails until it is translated.
"""

import io
from datetime import UTC, datetime
from pathlib import Path

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[2]
PO = ROOT / "graders/locale/fr/LC_MESSAGES/softmark.po"
MO = PO.with_suffix(".mo")
ALWAYS = datetime(2026, 1, 1, tzinfo=UTC)  # a fixed date, so that the same sentences give the same file
KEYWORDS = {"tr": None, "trn": (1, 2), "translatable": None}
IN_TEMPLATES = KEYWORDS | {"_": None, "gettext": None, "ngettext": (1, 2)}


def extract_sentences() -> Catalog:
    """All sentences of the code and the templates."""
    catalogue = Catalog()
    for folder, methods, keywords in (
        ("graders", [("**.py", "python")], KEYWORDS),
        ("graders/course/skeletons", [("**/checks.txt", "python")], KEYWORDS),  # of `softmark new`
        ("reports", [("**.py", "python")], KEYWORDS),
        ("reports/templates", [("**.j2", "jinja2")], IN_TEMPLATES),
        ("graders/handout/templates", [("**.j2", "jinja2")], IN_TEMPLATES),
    ):
        options = {"**.j2": {"trimmed": "true", "silent": "false"}}
        for file, _, message, _, _ in extract_from_dir(ROOT / folder, methods, options, keywords):
            catalogue.add(message, locations=[(f"{folder}/{file}", 0)])
    return catalogue


def read_catalogue() -> Catalog:
    """Read the catalogue from its file."""
    with PO.open("rb") as file:
        return read_po(file, locale="fr")


def compile_catalogue(catalogue: Catalog) -> bytes:
    """The bytes of the compiled catalogue, for gettext."""
    catalogue.creation_date = catalogue.revision_date = ALWAYS
    buffer = io.BytesIO()
    write_mo(buffer, catalogue)
    return buffer.getvalue()


def renew(old: Catalog) -> Catalog:
    """The sentences of the code, with the translations that `old` has."""
    new = Catalog(locale="fr", header_comment="# softmark in French", fuzzy=False)
    for message in extract_sentences():
        if message.id:
            earlier = old.get(message.id)
            # A sentence that has got or lost its plural needs a new translation.
            same_kind = earlier is not None and isinstance(earlier.id, type(message.id))
            new.add(
                message.id,
                earlier.string if earlier and same_kind else None,
                locations=sorted(set(message.locations)),
            )
    return new


def main() -> None:
    """Write both files."""
    new = renew(read_catalogue() if PO.exists() else Catalog(locale="fr"))
    with PO.open("wb") as file:
        write_po(file, new, width=0, sort_output=True, include_lineno=False, omit_header=True)
    MO.write_bytes(compile_catalogue(read_catalogue()))


if __name__ == "__main__":
    main()
