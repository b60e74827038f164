"""The site's own pages: their links lead somewhere, and axe and a narrow screen find nothing."""

from pathlib import Path

import pytest

from graders.language import LANGUAGES, speaking
from tests.conftest import NIGHTLY
from tests.maintenance.site.accessible import make_accessible
from tests.maintenance.site.broken_links import find_broken_links
from tests.maintenance.site.build_site import build_some
from tests.maintenance.site.gallery import SHOWN as IN_GALLERY
from tests.maintenance.site.gallery import gallery_page, write_gallery
from tests.maintenance.site.llms import llms_txt
from tests.maintenance.site.navigation import Navigation
from tests.maintenance.site.theme_in_french import OF_THE_SEARCH, OWNER, WORDS
from tests.reports.test_accessibility import ASK, AXE, EVERYTHING, SCHEMES, SHOWN, WIDTHS
from tests.support.browser import shared_tab
from tests.support.devtools import CHROMIUM, Tab

NOT_PRINTED = ".sidebar-drawer, .toc-drawer, .skip-to-content, .related-pages"
CUT = """[...document.querySelectorAll("article pre, article table, article p")].filter(each =>
  each.scrollWidth > each.clientWidth + 1 || each.getBoundingClientRect().right > document.body.clientWidth)
  .map(each => each.textContent.slice(0, 60))"""
KINDS = ("index", "students", "gallery", "peers", "search", "exercises/index", "exercises/concat_heads")


@pytest.fixture
def tab() -> Tab:
    return shared_tab()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of each kind in both languages, and the gallery."""
    folder = tmp_path_factory.mktemp("site")
    for language in LANGUAGES:
        build_some(folder, language, ("index", "students", "outcomes", "peers"), ("concat_heads",))
    write_gallery(folder)
    return folder


def test_a_link_to_no_page_or_to_no_place_on_it_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a href="b.html#here">b</a> <a class="x" href="b.html#there">b</a>')
    (tmp_path / "b.html").write_text('<p id="here"></p><img src="c.png"><a href="https://example.org">x</a>')
    assert list(find_broken_links(tmp_path)) == ["a.html: b.html#there", "b.html: c.png"]


def test_a_page_gets_what_its_theme_lacks() -> None:
    page = '<aside class="sidebar-drawer"><p role="heading">a</p><aside class="toc-drawer"><pre>b</pre>'
    assert make_accessible(page, "fr") == (
        '<aside class="sidebar-drawer" aria-label="Pages du site"><p role="heading" aria-level="2">a</p>'
        '<aside class="toc-drawer" aria-label="Sur cette page"><pre tabindex="0">b</pre>'
    )
    table = '<div class="table-wrapper"><table><th class="head"><p></p></th><th class="head"><p>a</p></th>'
    assert make_accessible(table, "en") == (
        '<div tabindex="0" class="table-wrapper"><table><td></td><th class="head"><p>a</p></th>'
    )


LIST = """<ul>
<li class="toctree-l1 has-children"><a class="reference internal" href="a/index.html">A <em>b</em></a>\
<input type="checkbox"/><ul>
<li class="toctree-l2"><a class="reference internal" href="a/c.html">C</a></li>
</ul></li>
<li class="toctree-l1"><a class="reference internal" href="d.html">D</a></li>
</ul>"""


def test_the_list_of_pages_opens_at_the_page_and_its_links_start_from_it() -> None:
    pages = Navigation(LIST)
    assert pages.on_page("search") == LIST
    assert pages.on_page("d") == LIST.replace('"toctree-l1">', '"toctree-l1 current current-page">')
    below = LIST.replace("has-children", "has-children current").replace("<input ", '<input checked="" ')
    below = below.replace("toctree-l2", "toctree-l2 current current-page").replace('href="', 'href="../')
    assert pages.on_page("a/c") == below


def test_the_gallery_leads_to_pages_that_are_there(tmp_path: Path) -> None:
    write_gallery(tmp_path)
    for language in LANGUAGES:
        with speaking(language):
            page = gallery_page()
        for address in IN_GALLERY[language]:
            assert f'href="../gallery/{address}"' in page
            assert (tmp_path / "gallery" / address).is_file()
    assert list(find_broken_links(tmp_path)) == []


def test_llms_txt_names_every_document_and_every_exercise() -> None:
    text = llms_txt()
    assert text.startswith("# softmark\n\n> ")
    for line in (
        "- [Check your own work](en/students.html): ",
        "- [The packages](en/design/index.html): ",
        "- [Joining the heads](en/exercises/concat_heads.html): `concat_heads`",
    ):
        assert line in text


@pytest.mark.programs
def test_a_link_whose_text_is_a_file_says_the_title_of_its_page(site: Path) -> None:
    pages = {language: (site / language / "students.html").read_text("utf-8") for language in LANGUAGES}
    assert (
        '<a class="reference internal" href="outcomes.html"><em>Outcomes and exit statuses</em></a>'
        in pages["en"]
    )
    assert (
        '<a class="reference internal" href="outcomes.html"><em>Résultats et codes de sortie</em></a>'
        in pages["fr"]
    )
    assert ".md</a>" not in pages["en"]


@pytest.mark.programs
def test_the_theme_says_nothing_in_english_on_a_french_page(site: Path) -> None:
    pages = {
        language: (site / language / "exercises/index.html").read_text("utf-8") for language in LANGUAGES
    }
    search = {language: (site / language / "search.html").read_text("utf-8") for language in LANGUAGES}
    for english in WORDS:  # the theme still says it in these words, which are gone from the French page
        assert (english in pages["en"], english in pages["fr"]) == (True, False), english
    for english in OF_THE_SEARCH:
        assert (english in search["en"], english in search["fr"]) == (True, False)
    assert OWNER.search(pages["en"]) and not OWNER.search(pages["fr"])


@pytest.mark.programs
@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium here")
@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not here: `sh .ci/axe` fetches it with npm")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_nothing_on_the_site(kind: str, language: str, tab: Tab, site: Path) -> None:
    whole = NIGHTLY or (kind, language) == ("exercises/concat_heads", "en")
    for width, scheme, rules in SHOWN if whole else [(WIDTHS[1], SCHEMES[1], EVERYTHING)]:
        tab.show(site / language / f"{kind}.html", width, scheme)
        tab.evaluate('for (const each of document.querySelectorAll("details")) each.open = true')
        tab.evaluate(AXE.read_text(encoding="utf-8"))
        violations, _ = tab.evaluate(ASK % rules)  # a button of the theme lies over what axe leaves open
        assert violations == [], (width, scheme)
        wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert tab.evaluate(wider) == 0, (width, scheme)


@pytest.mark.programs
@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium here")
@pytest.mark.parametrize("kind", ["students", "exercises/concat_heads"])
def test_a_printed_page_has_its_whole_text_alone(kind: str, tab: Tab, site: Path) -> None:
    tab.show(site / "en" / f"{kind}.html", 690, "light")
    tab.show_as_printed()
    seen = f"[...document.querySelectorAll('{NOT_PRINTED}')].filter(each => each.checkVisibility()).length"
    folded = "[...document.querySelectorAll('details > p')].filter(each => !each.checkVisibility()).length"
    assert (tab.evaluate(seen), tab.evaluate(folded), tab.evaluate(CUT)) == (0, 0, [])
