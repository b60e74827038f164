"""The French catalogue: `make messages` puts in what code newly says, and takes out what it says no more.

What is new stands in it empty, and `test_catalogue.py` fails until it is translated.
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
ALWAYS = datetime(2026, 1, 1, tzinfo=UTC)  # else it would be another file each time
KEYWORDS = {"tr": None, "trn": (1, 2), "translatable": None}
IN_TEMPLATES = KEYWORDS | {"_": None, "gettext": None, "ngettext": (1, 2)}


def said_in_code() -> Catalog:
    """All sentences that code and templates say."""
    found = Catalog()
    for folder, methods, keywords in (
        ("graders", [("**.py", "python")], KEYWORDS),
        ("reports", [("**.py", "python")], KEYWORDS),
        ("reports/templates", [("**.j2", "jinja2")], IN_TEMPLATES),
        ("graders/handout/templates", [("**.j2", "jinja2")], IN_TEMPLATES),
    ):
        options = {"**.j2": {"trimmed": "true", "silent": "false"}}
        for file, _, message, _, _ in extract_from_dir(ROOT / folder, methods, options, keywords):
            found.add(message, locations=[(f"{folder}/{file}", 0)])
    return found


def kept() -> Catalog:
    """The catalogue as it is kept."""
    with PO.open("rb") as file:
        return read_po(file, locale="fr")


def compiled(catalogue: Catalog) -> bytes:
    """What gettext reads."""
    catalogue.creation_date = catalogue.revision_date = ALWAYS
    written = io.BytesIO()
    write_mo(written, catalogue)
    return written.getvalue()


def renewed(old: Catalog) -> Catalog:
    """What code says, with the translations that there are."""
    new = Catalog(locale="fr", header_comment="# softmark in French", fuzzy=False)
    for message in said_in_code():
        if message.id:
            known = old.get(message.id)
            same = known is not None and isinstance(known.id, type(message.id))  # or it had no plural before
            new.add(
                message.id, known.string if known and same else None, locations=sorted(set(message.locations))
            )
    return new


def main() -> None:
    """Write both files."""
    new = renewed(kept() if PO.exists() else Catalog(locale="fr"))
    with PO.open("wb") as file:
        write_po(file, new, width=0, sort_output=True, include_lineno=False, omit_header=True)
    MO.write_bytes(compiled(kept()))


if __name__ == "__main__":
    main()
