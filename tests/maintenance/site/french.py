"""The French of the site's pages: `make messages` adds their new paragraphs, and drops those that are gone.

A new paragraph has an empty translation; `tests/repository/test_site.py` fails until it is translated.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from babel.messages import Catalog
from babel.messages.pofile import read_po, write_po

from tests.maintenance.site.build_site import LOCALES, run_sphinx
from tests.maintenance.site.stage import IN_FRENCH, stage_pages

PO = LOCALES / "fr/LC_MESSAGES/docs.po"


def extract_paragraphs() -> Catalog:
    """The paragraphs of the pages that there are in French."""
    paragraphs = Catalog(locale="fr", fuzzy=False)
    with TemporaryDirectory() as folder:
        source, out = Path(folder, "source"), Path(folder, "out")
        stage_pages(source, IN_FRENCH)
        run_sphinx("gettext", "en", source, out)
        with (out / "docs.pot").open("rb") as file:
            for message in read_po(file):
                if message.id:
                    names = sorted({Path(place).name for place, _ in message.locations})
                    paragraphs.add(message.id, locations=[(name, 0) for name in names])
    return paragraphs


def read_french() -> Catalog:
    """The translations that there are."""
    if not PO.exists():
        return Catalog(locale="fr")
    with PO.open("rb") as file:
        return read_po(file, locale="fr")


def main() -> None:
    """Write the file again, with the translations that hold."""
    old, new = read_french(), extract_paragraphs()
    for message in new:
        earlier = old.get(message.id) if message.id else None
        if earlier is not None:
            message.string = earlier.string
    PO.parent.mkdir(parents=True, exist_ok=True)
    with PO.open("wb") as file:
        write_po(file, new, width=0, include_lineno=False, omit_header=True)


if __name__ == "__main__":
    main()
