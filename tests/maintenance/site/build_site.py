"""Build the site of the documents in both languages, into `build/site/`: `make site`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from graders.language import LANGUAGES, Language
from tests.maintenance.site.stage import ROOT, stage

HERE = Path(__file__).parent
SITE = ROOT / "build/site"
LOCALES = ROOT / "docs/locale"


FIRST = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=en/index.html">
<title>softmark</title>
<a href="en/index.html">softmark</a>
</html>
"""


def build(language: Language) -> None:
    """Build the pages of one language.

    Raises:
        CalledProcessError: Sphinx has a warning, such as a link to nothing.
    """
    source = SITE / f"source-{language}"
    stage(source, language)
    shutil.copytree(LOCALES, SITE / "locale", dirs_exist_ok=True)  # Sphinx compiles what it finds there
    run_sphinx("html", language, source, SITE / language, "-W", "--keep-going")


def run_sphinx(builder: str, language: Language, source: Path, out: Path, *options: str) -> None:
    """Run one of Sphinx's builders on the pages in a folder."""
    trees = SITE / f"trees-{builder}-{language}"
    words = [
        "-b",
        builder,
        "-q",
        "-j",
        "auto",
        "-c",
        str(HERE),
        "-d",
        str(trees),
        *options,
        str(source),
        str(out),
    ]
    settings = {"SITE_LANGUAGE": language, "SITE_LOCALES": str(SITE / "locale")}
    subprocess.run([sys.executable, "-m", "sphinx", *words], check=True, env=os.environ | settings)


if __name__ == "__main__":
    for each in LANGUAGES:
        build(each)
    (SITE / "index.html").write_text(FIRST, encoding="utf-8")
