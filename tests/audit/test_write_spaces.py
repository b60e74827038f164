"""`softmark audit --fix`: the no-break spaces of French are written, and nothing else is."""

import ast
from pathlib import Path

import pytest

from graders.audit.write_spaces import WrittenSpace, write_spaces
from graders.course.course_file import course_languages, require_course
from graders.course.course_table import BadCourse
from tests.support.own_course import use_course

ROW = '{ name = "sums", title = "Sums: all", title_fr = "Sommes : toutes", points = 20 }'
COURSE = f'[small]\ntitle = "Small: one"\ntitle_fr = "Petit: un"\nexercises = [\n    {ROW},\n]\n'
STUB = '''\
# %% [markdown] lang="en"
# ## Sums: is it so ?

# %% [markdown] lang="fr"
# ## Sommes: est-ce vrai ?
#
# Un code `a : b`, et une adresse https://a.b : la fin
# ; `x: y`

# %%
def sums(x):
    """Add: what is it ?

    Args:
        x: numbers ; many.

    fr: Il additionne: quoi ?

    Args:
        x: des nombres ; «beaucoup», et dès 5\\u00a0: non\u00a0!
    """
    label = "x : y ;"
    raise NotImplementedError
'''
WRITTEN = '''\
# %% [markdown] lang="en"
# ## Sums: is it so ?

# %% [markdown] lang="fr"
# ## Sommes~: est-ce vrai~?
#
# Un code `a : b`, et une adresse https://a.b~: la fin~;
# `x: y`

# %%
def sums(x):
    """Add: what is it ?

    Args:
        x: numbers ; many.

    fr: Il additionne~: quoi~?

    Args:
        x: des nombres~; «~beaucoup~», et dès 5\\u00a0: non~!
    """
    label = "x : y ;"
    raise NotImplementedError
'''.replace("~", "\u00a0")
CHECKS = '''\
"""The checks: of sums ;"""


@check(points=1)
def adds(candidate, draw):
    """it adds : all

    fr: il additionne : tout
    """


says = network.agrees(says="""the sum ; whole

fr: la somme ; entière
""")
'''


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a course with one exercise, in place of ours."""
    files = {"assignments/course.toml": COURSE, "assignments/sums.py": STUB, "graders/checks/sums.py": CHECKS}
    use_course(tmp_path, monkeypatch, {**files, "solutions/sums.py": "x = 1\n"})
    return tmp_path


def test_spaces_are_written_into_french_alone_and_each_is_told_with_its_line(course: Path):
    written = list(write_spaces("sums"))
    assert (course / "assignments/sums.py").read_text(encoding="utf-8") == WRITTEN
    assert WrittenSpace("assignments/sums.py", 20, "nombres\u00a0;") in written
    assert WrittenSpace("assignments/sums.py", 7, "fin\u00a0;") in written
    told = {(place.file, place.words) for place in written if place.file != "assignments/sums.py"}
    assert told == {
        ("assignments/course.toml", "Petit\u00a0:"),
        ("assignments/course.toml", "Sommes\u00a0:"),
        ("graders/checks/sums.py", "additionne\u00a0:"),
        ("graders/checks/sums.py", "somme\u00a0;"),
    }
    assert list(write_spaces(None)) == []


def test_a_file_that_is_no_python_is_left_as_it_is_and_so_is_every_file_of_an_english_course(course: Path):
    (course / "graders/checks/sums.py").write_text("def (:\n    fr: non ;\n", encoding="utf-8")
    (course / "assignments/course.toml").write_text(f'languages = ["en"]\n{COURSE}', encoding="utf-8")
    assert list(write_spaces(None)) == []
    (course / "assignments/course.toml").write_text(COURSE, encoding="utf-8")
    assert not any(place.file.startswith("graders/checks") for place in write_spaces(None))


def test_in_a_course_in_french_docstrings_titles_and_cells_are_french_without_a_mark(course: Path):
    alone = f'languages = ["fr"]\n{COURSE}'
    (course / "assignments/course.toml").write_text(alone, encoding="utf-8")
    stub = (
        '# %% [markdown]\n# Vrai ?\n\n# %%\ndef sums(x):\n    """Quoi ?"""\n    raise NotImplementedError\n'
    )
    (course / "assignments/sums.py").write_text(stub, encoding="utf-8")
    changed = {place.words for place in write_spaces(None) if "checks" not in place.file}
    assert changed == {"Small\u00a0:", "Sums\u00a0:", "Vrai\u00a0?", "Quoi\u00a0?"}
    tree = ast.parse((course / "graders/checks/sums.py").read_text(encoding="utf-8"))
    assert ast.get_docstring(tree) == "The checks: of sums ;"  # a comment for authors


def test_languages_that_softmark_does_not_speak_are_refused(course: Path):
    assert course_languages() == ("en", "fr")
    require_course()
    for said in ('["de"]', '"en"', "[]"):
        (course / "assignments/course.toml").write_text(f"languages = {said}\n{COURSE}", encoding="utf-8")
        with pytest.raises(BadCourse, match=r'course.toml, line 1: languages must be \["en"\]'):
            require_course()
