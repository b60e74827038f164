"""Build the site of the documents in both languages, into `build/site/`: `make site`."""

import os
import shutil
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

from graders.language import LANGUAGES, Language
from tests.maintenance.site.accessible import mend_pages
from tests.maintenance.site.broken_links import find_broken_links
from tests.maintenance.site.gallery import write_gallery
from tests.maintenance.site.llms import llms_txt
from tests.maintenance.site.stage import ROOT, stage, stage_some

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
    for old in (SITE / language, SITE / f"trees-html-{language}"):  # with pages that are gone
        shutil.rmtree(old, ignore_errors=True)
    stage(source, language)
    run_sphinx("html", language, source, SITE / language, "-W", "--keep-going")
    mend_pages(SITE / language, language)


def build_some(site: Path, language: Language, names: Collection[str], exercises: Collection[str]) -> None:
    """Build some pages of one language, whose links may lead nowhere; see `stage_some`."""
    source = site / f"source-{language}"
    stage_some(source, language, names, exercises)
    run_sphinx("html", language, source, site / language, "-Q")
    mend_pages(site / language, language)


def run_sphinx(builder: str, language: Language, source: Path, out: Path, *options: str) -> None:
    """Run one of Sphinx's builders on the pages in a folder."""
    trees, locale = out.parent / f"trees-{builder}-{language}", out.parent / "locale"
    shutil.copytree(LOCALES, locale, dirs_exist_ok=True)  # Sphinx compiles what it finds there
    words = ["-b", builder, "-q", "-c", str(HERE), "-d", str(trees), *options, str(source), str(out)]
    settings = {"SITE_LANGUAGE": language, "SITE_LOCALES": str(locale)}
    subprocess.run([sys.executable, "-m", "sphinx", *words], check=True, env=os.environ | settings, cwd=ROOT)


def main() -> None:
    """Build the whole site.

    Raises:
        SystemExit: a link leads nowhere.
    """
    for each in LANGUAGES:
        build(each)
    write_gallery(SITE)
    (SITE / "index.html").write_text(FIRST, encoding="utf-8")
    (SITE / "llms.txt").write_text(llms_txt(), encoding="utf-8")
    broken = list(find_broken_links(SITE))
    if broken:
        raise SystemExit("\n".join(["links that lead nowhere:", *broken]))


if __name__ == "__main__":
    main()
