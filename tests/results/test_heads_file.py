"""A file of drawn heads is read as it was written; what is larger than any is refused."""

import pytest

from graders.results.heads import (
    DRAWINGS,
    LIMIT,
    MAPS,
    TOKENS,
    Drawing,
    Heads,
    from_json,
    layer_of,
    read_heads,
    to_json,
)

NO_NUMBER = layer_of(1, [1], [((float("nan"),),)])


def drawing(tokens: int = 2, maps: int = 1, notes: int = 0, heads: int | None = None) -> Drawing:
    matrix = tuple((0.5,) * tokens for _ in range(tokens))
    layer = layer_of(1, [*range(1, 1 + (maps if heads is None else heads))], [matrix] * maps)
    words = tuple(f"w{n}" for n in range(tokens))
    return Drawing("f", "F", False, "random", words, (layer,), ("a note",) * notes)


def of(*drawings: Drawing) -> Heads:
    return Heads("key", "digest", "a sentence", drawings)


def test_drawn_heads_are_read_as_they_were_written(tmp_path):
    heads = of(drawing(3, 2), Drawing("g", "G", True, problem="no attention"))
    assert from_json(to_json(heads)) == heads
    assert heads.drawings[0].layers[0].matrices() == [((0.5,) * 3,) * 3] * 2
    written = layer_of(None, [1], [((1 / 3, 1e-9), (0.0, 1.0))])
    assert written.weights == (("0.3333 1e-09", "0 1"),)
    assert read_heads(tmp_path) is None
    (tmp_path / "heads.json").write_text(to_json(heads))
    assert read_heads(tmp_path) == heads
    (tmp_path / "heads.json").write_text("{")
    assert read_heads(tmp_path) is None
    with (tmp_path / "heads.json").open("wb") as file:
        file.write(to_json(heads).encode())
        file.truncate(LIMIT + 1)
    assert read_heads(tmp_path) is None


@pytest.mark.parametrize(
    ("heads", "fits"),
    [
        (of(*[drawing()] * DRAWINGS), True),
        (of(*[drawing()] * (DRAWINGS + 1)), False),
        (of(drawing(TOKENS)), True),
        (of(drawing(TOKENS + 1)), False),
        (of(drawing(maps=MAPS)), True),
        (of(drawing(maps=MAPS + 1)), False),
        (of(drawing(notes=MAPS)), True),
        (of(drawing(notes=MAPS + 1)), False),
        (of(drawing(maps=2, heads=1)), False),
        (of(Drawing("f", "F", False, tokens=("a",), layers=drawing(2).layers)), False),
        (
            of(Drawing("f", "F", False, tokens=("a",), layers=(layer_of(1, [1], [((float("nan"),),)]),))),
            False,
        ),
    ],
)
def test_no_more_is_drawn_than_is_ever_written_and_each_pair_of_tokens_has_a_number(heads: Heads, fits: bool):
    if fits:
        assert from_json(to_json(heads)) == heads
        return
    with pytest.raises(ValueError, match=r"too many|too large|do not fit|no finite number"):
        from_json(to_json(heads))
