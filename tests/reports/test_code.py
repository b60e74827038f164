from graders.results.result import Definition, Place
from reports.pages.code_listing import list_definition
from tests.reports.markup import Page


def test_lines_have_the_numbers_of_the_notebook() -> None:
    assert _numbers("\n\ndef f():\n\n    pass\n\n", line=7) == ["7", "8", "9", "10", "11"]


def test_the_line_of_the_place_is_marked() -> None:
    html = list_definition(_definition("a\nb\nc", 5), (Place("rendu.ipynb", 9, 6),)).html
    assert html.count("marked") == 1
    assert '<span class="line marked" data-line="6"><span class="n">b</span>' in html


def test_a_place_in_another_cell_marks_nothing() -> None:
    places = (Place("rendu.ipynb", 8, 6), Place("other.ipynb", 9, 6), Place("rendu.ipynb", None, 6))
    assert "marked" not in list_definition(_definition("a\nb\nc", 5), places).html


def test_a_marked_line_far_down_is_among_those_shown() -> None:
    long = list_definition(_definition("\n".join("x" * 2_000), 1), (Place("rendu.ipynb", 9, 1_900),))
    assert long.left_out == 1_700
    assert 'data-line="1900"' in long.html


def test_code_is_escaped() -> None:
    text = '"""</code></pre><script>alert(1)</script>"""\n<img src=x>\n`' + "\0x"
    html = list_definition(_definition(text, 1)).html
    assert "<script" not in html and "<img" not in html
    Page(html)


def test_unusual_line_ends_keep_the_numbers() -> None:
    assert _numbers("a\x0cb\x85c\u2028d\ne\r\nf\rg", line=1)[-1] in ("3", "4")


def test_a_long_string_over_many_lines_stays_balanced() -> None:
    Page(list_definition(_definition('x = """' + "\n<b>" * 50, 1)).html)


def _definition(code: str, line: int) -> Definition:
    return Definition("rendu.ipynb", 9, line, code)


def _numbers(code: str, line: int) -> list[str]:
    return Page(list_definition(_definition(code, line)).html).values("data-line")
