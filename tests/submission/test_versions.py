"""Which of two files is the later version, by their names and by the times at which they were written."""

import unicodedata
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graders.submission.versions import GAP_S, keep_latest, order_in_time

LATER = [
    ("rendu_v1.py", "rendu_v2.py"),
    ("rendu_v9.py", "rendu_v10.py"),
    ("rendu v1.9.py", "rendu v1.10.py"),
    ("rendu.py", "rendu_v2.py"),
    ("renduV2.ipynb", "renduV3.ipynb"),
    ("tp version 1.ipynb", "tp version 2.ipynb"),
    ("attention.py", "attention_corrected.py"),
    ("attention_corrected.py", "attention_corrected_2.py"),
    ("corrigé/attention.py", "corrigé v2/attention.py"),
    ("tp.py", "tp_corrigé.py"),
    ("rendu_v3.py", "rendu_final.py"),
    ("rendu_final.py", "rendu_final2.py"),
    ("brouillon/rendu.py", "final/rendu.py"),
    ("brouillon.ipynb", "attention.ipynb"),
    ("old/attention.py", "attention.py"),
    ("ancien/attention_final.py", "attention.py"),
    ("rendu.ipynb", "rendu (1).ipynb"),
    ("rendu (2).ipynb", "rendu (10).ipynb"),
    ("AttentionOld.py", "Attention.py"),
]
EQUAL = [
    ("a.py", "b.py"),
    ("a/heads.py", "b/heads.py"),
    ("rendu.ipynb", "rendu - Copie.ipynb"),
    ("rendu.ipynb", "Copy of rendu.ipynb"),
    ("rendu-Copy1.ipynb", "rendu-Copy2.ipynb"),
    ("rendu.py", "rendu_v1.py"),
    ("tp1.py", "tp2.py"),  # two parts
    ("conv1d.py", "conv2d.py"),
    ("attention_v2.py", "encoder.py"),
    ("attention.py", "final_project.py"),
    ("folder/attention.py", "goldmask.py"),
]


@pytest.mark.parametrize(("earlier", "later"), LATER)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_the_name_says_which_is_later(earlier: str, later: str, form: str) -> None:
    for names in ([earlier, later], [later, earlier]):
        written = [unicodedata.normalize(form, name) for name in names]
        assert [unicodedata.normalize("NFC", name) for name in keep_latest(written, str)] == [later]


@pytest.mark.parametrize("names", EQUAL)
def test_names_without_marks_say_nothing(names: tuple[str, str]) -> None:
    assert keep_latest(names, str) == [*names]
    assert keep_latest(names[::-1], str) == [*names[::-1]]


NAMES = st.sampled_from([name for pair in LATER + EQUAL for name in pair])


@given(st.lists(NAMES, min_size=1, max_size=6, unique=True), st.randoms())
def test_what_is_latest_does_not_depend_on_the_order_of_files(names: list[str], random) -> None:
    mixed = random.sample(names, len(names))
    assert sorted(keep_latest(names, str)) == sorted(keep_latest(mixed, str)) != []


def test_times_say_something_where_more_than_a_minute_lies_between_them() -> None:
    times = {"unpacked": 1000.0, "with it": 1000.0 + GAP_S, "later": 1001.0 + 2 * GAP_S}
    for items in permutations(times.items()):
        assert order_in_time(dict(items)) == {"unpacked": 0, "with it": 0, "later": 1}
