"""Attention maps on a student's page: what the file beside the result says, escaped and small."""

import base64
import json
import re
import struct
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from graders.language import speaking
from graders.results import heads
from graders.results.heads import Drawing, Heads, LayerOfHeads, Matrix, layer_of
from reports import publish
from reports.figures.attention_maps import draw_map
from reports.figures.colour_scale import Scale, colour_at
from reports.pages import student_page
from tests.reports import sample
from tests.reports.markup import assert_sound

SHA = sample.result().submission.sha256


def even(count: int) -> Matrix:
    """The weights of a head that looks back at all tokens alike."""
    return tuple(
        tuple(1 / (row + 1) if column <= row else 0.0 for column in range(count)) for row in range(count)
    )


def drawn(tokens: tuple[str, ...] = ("Le", "chat", "dort"), count: int = 2, **changes: object) -> Heads:
    layer = layer_of(None, list(range(1, count + 1)), [even(len(tokens))] * count)
    drawing = Drawing("multi_head_attention", "Multi-head attention", False, "reference", tokens, (layer,))
    return Heads("key", SHA, " ".join(tokens), (replace(drawing, **changes),))


def page(of: Heads) -> str:
    text = student_page.render(sample.result(), heads=of)
    assert_sound(text)
    return text


def section(of: Heads) -> str:
    return re.split(r'<section aria-labelledby="heads">', page(of))[1].partition("</section>")[0]


def test_a_page_without_drawings_has_no_section_for_them():
    assert 'id="heads"' not in student_page.render(sample.result())
    assert 'id="heads"' not in student_page.render(sample.result(), heads=replace(drawn(), drawings=()))


def test_each_head_has_a_map_with_the_tokens_on_both_sides():
    words = assert_sound(page(drawn())).words
    assert all(f"Head {n}" in words for n in (1, 2))
    svg = re.findall(r'<svg class="picture".*?</svg>', section(drawn()), re.DOTALL)
    assert len(svg) == 2
    assert re.findall(r"<text [^>]*>(.*?)</text>", svg[0]) == ["Le", "chat", "dort"] * 2


def test_a_pixel_is_a_weight_and_a_row_is_who_looks():
    matrix = ((1.0, 0.0, 0.0), (0.25, 0.75, 0.0), (0.0, 0.5, 0.5))
    text = str(draw_map(matrix, ["a", "b", "c"], Scale(0.0, 1.0), "x"))
    png = base64.b64decode(re.search(r"base64,([^\"]*)", text)[1])
    assert png[16:24] == struct.pack(">II", 3, 3)
    chunks, at = {}, 8
    while at < len(png):
        size = int.from_bytes(png[at : at + 4], "big")
        chunks[png[at + 4 : at + 8]] = png[at + 8 : at + 8 + size]
        at += size + 12
    lines, palette = zlib.decompress(chunks[b"IDAT"]), chunks[b"PLTE"]
    pixels = [lines[4 * row + 1 : 4 * row + 4] for row in range(3)]
    for row, weights in zip(pixels, matrix, strict=True):
        for pixel, weight in zip(row, weights, strict=True):
            due = [round(part) for part in colour_at(Scale(0, 1), weight)]
            assert all(abs(a - b) <= 4 for a, b in zip(palette[3 * pixel : 3 * pixel + 3], due, strict=True))


def test_the_table_says_where_each_token_looks_most():
    matrix = ((1.0, 0.0), (0.75, 0.25))
    layer = layer_of(3, [1, 7], [matrix, ((0.5, 0.5), (0.0, 1.0))])
    words = assert_sound(page(drawn(("ab", "cd"), layers=(layer,)))).pieces
    at = words.index("Token")
    due = "Token layer 3, head 1 layer 3, head 7 ab ab 1.00 ab 0.50 cd ab 0.75 cd 1.00"
    assert " ".join(words[at:]).startswith(due)


def test_both_ways_stand_side_by_side_under_one_title():
    one = drawn().drawings[0]
    both = replace(drawn(), drawings=(one, replace(one, causal=True)))
    text = section(both)
    assert text.count("<h3") == 1
    assert text.count('class="way"') == 2
    assert text.index("Every token may see all") < text.index("No token should see later ones")


def test_a_sentence_stands_where_nothing_could_be_drawn():
    text = section(drawn(layers=(), problem="ValueError: <img src=x onerror=alert(1)>"))
    assert "ValueError: &lt;img" in text
    assert "<svg" not in text


@pytest.mark.parametrize(
    "word", ["<script>alert(1)</script>", '"><svg onload=alert(1)>', "&lt;", "$x^2$", "' x='"]
)
def test_the_sentence_and_its_tokens_are_text_and_nothing_else(word: str):
    text = page(drawn((word, "b")))
    read = assert_sound(text)  # no script but ours, no handler
    assert "<script" not in section(drawn((word, "b")))
    assert word[:13] in read.words


def test_a_space_has_a_sign_and_a_long_token_is_cut():
    labels = re.findall(r"<text [^>]*>(.*?)</text>", section(drawn((" ", "anticonstitutionnellement"), 1)))
    assert labels[:2] == ["\u2423", "anticonstitut\u2026"]


def test_labels_have_the_colour_of_the_pages_text_in_both_themes():
    svg = re.search(r"<svg.*?</svg>", section(drawn()), re.DOTALL)[0]
    assert "fill=" not in svg
    assert "style=" not in svg
    assert "#" not in svg.replace("data:", "")
    assert ".picture { display: block; max-width: 100%; height: auto;" in page(drawn())


def test_twelve_heads_on_twenty_tokens_are_small_and_no_script():
    tokens = tuple(f"mot{n}" for n in range(20))
    without = student_page.render(sample.result())
    text = page(drawn(tokens, 12))
    assert len(text) - len(without) < 100_000
    assert re.search(r"<meta http-equiv.*?>", text)[0] == re.search(r"<meta http-equiv.*?>", without)[0]


def test_it_speaks_french():
    with speaking("fr"):
        words = assert_sound(student_page.render(sample.result(language="fr"), heads=drawn())).words
    assert "Où regardent les têtes" in words
    assert "Tête 1" in words
    assert "Head" not in words


def put(folder: Path, text: str) -> None:
    (folder / "alice").mkdir(exist_ok=True)
    (folder / "alice" / heads.NAME).write_text(text, encoding="utf-8")


def test_a_drawing_beside_a_result_is_on_its_page_and_a_new_one_replaces_it(tmp_path: Path):
    publish.publish_one(tmp_path, sample.result())
    put(tmp_path, heads.to_json(drawn(("un", "deux"))))
    publish.publish_one(tmp_path, sample.result())
    assert ">deux</text>" in (tmp_path / "alice/index.html").read_text("utf-8")
    put(tmp_path, heads.to_json(replace(drawn(("trois", "quatre")), key="other")))
    publish.publish_one(tmp_path, sample.result())
    assert ">quatre</text>" in (tmp_path / "alice/index.html").read_text("utf-8")


def test_a_drawing_of_files_that_were_handed_in_before_is_not_shown(tmp_path: Path):
    put(tmp_path, heads.to_json(replace(drawn(), sha256="cd" * 32)))
    publish.publish_one(tmp_path, sample.result())
    assert 'id="heads"' not in (tmp_path / "alice/index.html").read_text("utf-8")


def damaged() -> dict[str, str]:
    text = heads.to_json(drawn())
    data = json.loads(text)
    data["drawings"][0]["layers"][0]["weights"][0][0] = "nan 0 0"
    layer = LayerOfHeads(None, (1,), (("1 0", "0 1"),))
    many = tuple(str(n) for n in range(heads.TOKENS + 1))
    return {
        "no JSON": text[:-9],
        "no schema": text.replace(heads.SCHEMA, "x"),
        "deep": "[" * 100_000,
        "not finite": json.dumps(data),
        "fewer rows than tokens": heads.to_json(drawn(layers=(layer,))),
        "more tokens than are drawn": heads.to_json(drawn(many, 1)),
        "more heads than are drawn": heads.to_json(drawn(count=heads.MAPS + 1)),
        "more drawings": heads.to_json(replace(drawn(), drawings=drawn().drawings * (heads.DRAWINGS + 1))),
    }


@pytest.mark.parametrize("damage", damaged())
def test_a_file_that_is_none_of_ours_is_not_shown(damage: str, tmp_path: Path):
    put(tmp_path, damaged()[damage])
    publish.publish_one(tmp_path, sample.result())
    assert 'id="heads"' not in (tmp_path / "alice/index.html").read_text("utf-8")


def test_what_is_written_is_read_again():
    one = drawn(notes=("a note",), causal=True)
    assert heads.from_json(heads.to_json(one)) == one
