"""A course with every fault that an author can make: each has its sentence, and none stops the audit."""

import subprocess
from pathlib import Path

import pytest

from tests.support.course_copies import FILES, copy_tree, softmark, write_files

pytestmark = pytest.mark.programs

STUB, CHECKS, SOLUTION = ("assignments/{}.py", "graders/checks/{}.py", "solutions/{}.py")
DRAWS = "return [make_rows(3, 4, seed % 1000 + n) for n in range(6)]"
OPTIONS = "options = Options(diagnostic_draws=diagnostic_draws)"
LAST_CHECK = "same(totals[:1], draw.x[:1].cumsum(1))"
FRENCH = "    fr: Les colonnes sont sommées, et non les lignes. Regardez l'axe.\n"
ENGLISH = "Only what is before is summed, not the number itself."


# exercise: the file that is changed, what is replaced in it (None: the file is not there), and the sentence.
FAULTS: dict[str, tuple[str, str | None, str, str]] = {
    "no_stub": (STUB, None, "", "assignments/no_stub.py is missing: write in it"),
    "no_checks": (CHECKS, None, "", "graders/checks/no_checks.py is missing: write the checks"),
    "no_solution": (SOLUTION, None, "", "solutions/no_solution.py is missing: write in it"),
    "no_definition": (STUB, "def running_total(x):\n", "if True:\n", "SyntaxError: it defines no function"),
    "no_symbol": (
        SOLUTION,
        "def running_total(x):",
        "def total(x):",
        "no_symbol.py does not define running_total",
    ),
    "other_symbol": (
        STUB,
        "def running_total(x)",
        "def total(x)",
        "other_symbol.py does not define total, as the stub",
    ),
    "solution_raises": (
        SOLUTION,
        "import torch\n",
        "import torch\n\n1 / 0\n",
        "solutions/solution_raises.py, line 3: ZeroDivisionError",
    ),
    "solution_exits": (
        SOLUTION,
        "import torch\n",
        "raise SystemExit\n",
        "solutions/solution_exits.py, line 1: SystemExit",
    ),
    "reference_raises": (
        SOLUTION,
        "return x.cumsum(1)\n",
        "return x.cumulate(1)\n",
        "running_total raises: correct it: solutions/reference_raises.py, line 5: Attr",
    ),
    "reference_wrong": (
        SOLUTION,
        "return x.cumsum(1)\n",
        "return x.cumsum(1) + 1\n",
        "the reference running_total is not accepted: adds_the_second",
    ),
    "reference_ends": (
        SOLUTION,
        "return x.cumsum(1)\n",
        "import os; os._exit(3)\n",
        "its code ended the process",
    ),
    "typo": (
        CHECKS,
        LAST_CHECK,
        "sane(totals, draw.x)",
        "sums_each_row_alone itself fails on running_total: correct it: graders/checks/typo.py",
    ),
    "typo_outside": (CHECKS, "@dataclass(", "@dataklass(", "checks/typo_outside.py, line 13: NameError"),
    "bad_syntax": (CHECKS, LAST_CHECK, "same(totals", "graders/checks/bad_syntax.py, line"),
    "bad_draws": (CHECKS, DRAWS, "return [rows[0]]", "it cannot be audited: correct it: graders/checks/bad"),
    "no_draws": (CHECKS, OPTIONS, "", "no_draws.py has no Options with diagnostic_draws"),
    "few_checks": (
        CHECKS,
        "@check(points=1, given=rows())\ndef ends",
        "def ends",
        "needs at least 5 checks, and has 4",
    ),
    "few_mistakes": (
        SOLUTION,
        "total__product",
        "product",
        "few_mistakes.py needs at least 5 mistakes called",
    ),
    "few_right": (
        "solutions/right/{}/flipped.py",
        None,
        "",
        "solutions/right/few_right/ needs at least 6 right answers",
    ),
    "no_french": (SOLUTION, FRENCH, "", "running_total__of_columns: the docstring has no French"),
    "no_french_check": (
        CHECKS,
        "    fr: la réponse a la forme de x\n",
        "",
        "keeps_the_shape: the docstring has no French",
    ),
    "no_french_contract": (STUB, "fr: Ajoute", "Ajoute", "running_total: the docstring has no French"),
    "no_english": (
        SOLUTION,
        ENGLISH,
        "",
        "no_english.py, running_total__without_itself: write its docstring in English",
    ),
    "no_contract": (STUB, '"""Add', '"Add"\n    y = """', "running_total: the docstring has no French"),
    "no_docstring": (STUB, '"""Add', 'y = """', "running_total has no docstring: write its contract"),
    "indented_french": (
        SOLUTION,
        "    fr: Les colonnes",
        "    More.\n      fr: Les colonnes",
        "begin the line `fr:` where the first line",
    ),
    "bad_space": (STUB, "précèdent\u00a0:", "précèdent :", '"précèdent :" needs a no-break space'),
    "no_cell": (STUB, 'lang="fr"', "", '`# %% [markdown] lang="fr"`: write one'),
    "no_hint": (SOLUTION, '"""The columns', 'y = """', "of_columns: write its docstring in English"),
    "other_names": (
        STUB,
        "def running_total(x):",
        "def running_total(rows, axis=1):",
        "other_names.py has running_total(rows, axis=1), but the reference has running_total(x): give both",
    ),
    "no_core": (CHECKS, ", core=True", "", "no check has core=True: mark the one"),
    "light_core": (CHECKS, "points=4", "points=1", "with core=True weigh 20% of the points"),
    "no_french_sentence": (
        CHECKS,
        LAST_CHECK,
        "from graders.language import tr\n\n    what = tr('the first row, nobody else')\n"
        "    same(totals[:1], draw.x[:1].cumsum(1), what)",
        'no_french_sentence.py: "the first row, nobody else" has no French: run `make messages`',
    ),
    "long_checks": (
        CHECKS,
        LAST_CHECK,
        "count = 0\n    " + "count += 1\n    " * 60 + LAST_CHECK,
        "lines: keep it within 60",
    ),
    "accepts_none": (
        CHECKS,
        "    same(running_total(draw.x), totals)",
        "    if (got := running_total(draw.x)) is not None:\n        same(got, totals)",
        "adds_what_is_before accepts None: begin it with tensor",
    ),
    "fails_on_text": (
        CHECKS,
        "    same(running_total(draw.x), totals)",
        "    got = running_total(draw.x)\n    got[0]\n    same(got, totals)",
        "adds_what_is_before itself fails on ",
    ),
}
ENTRIES = {
    "no_title": '{ name = "no_title", points = 1, title_fr = "Sommes" }',
    "no_french_title": '{ name = "no_french_title", title = "Total", points = 1 }',
    "no_points": '{ name = "no_points", title = "Total", title_fr = "Total" }',
    "odd_points": '{ name = "odd_points", title = "Total", title_fr = "Total", points = "four" }',
}
ENTRY_SENTENCES = {
    "no_title": "assignments/course.toml, no_title: write its title",
    "no_french_title": "assignments/course.toml, no_french_title: write its title_fr",
    "no_points": "assignments/course.toml, no_points: write its points",
    "odd_points": "assignments/course.toml, odd_points: points must be a number above 0",
    "faulty": "the points of its exercises sum to",
}


def named(name: str) -> dict[str, str]:
    """The files of the small exercise under another name."""
    return {path.replace("running_total", name): text for path, text in FILES.items()}


def table(assignment: str, rows: list[str]) -> str:
    """An assignment in course.toml."""
    exercises = ",\n".join(rows)
    return f'[{assignment}]\ntitle = "Faults"\ntitle_fr = "Fautes"\nexercises = [\n{exercises}\n]\n'


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    """What the audit of the faulty course says. The exercise `sound` is as it should be."""
    folder = tmp_path_factory.mktemp("course")
    copy_tree(folder)
    for name in ("sound", *ENTRIES, *FAULTS):
        files = named(name)
        if name in FAULTS:
            place, old, new, _ = FAULTS[name]
            path = place.format(name)
            if old is None:
                del files[path]
            else:
                assert old in files[path], name
                files[path] = files[path].replace(old, new)
        if name not in ("sound", "few_right"):
            files = {path: text for path, text in files.items() if "/right/" not in path}
        write_files(folder, files)
    rows = [f'{{ name = "{name}", title = "Total", title_fr = "Total", points = 1 }}' for name in FAULTS]
    rows.append('{ name = "sound", title = "Total", title_fr = "Total", points = 1 }')
    course = table("faulty", rows) + table("entries", list(ENTRIES.values()))
    write_files(folder, {"assignments/course.toml": course})
    return softmark(folder, "audit", "--quick", "--sandbox", "open", "--jobs", "2")


def test_the_audit_goes_to_its_end_and_the_exit_status_is_1(audited):
    assert audited.returncode == 1, audited.stderr
    for name in ("sound", *FAULTS, *ENTRIES):
        assert f"\n{name} " in audited.stdout or f"\n{name}: " in audited.stdout, name


def test_a_sound_exercise_among_them_has_no_gap_although_its_titles_are_the_same_word(audited):
    assert "\nsound: " not in audited.stdout


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_has_its_sentence(name: str, audited):
    lines = [line for line in audited.stdout.split("\n") if line.startswith(f"{name}: ")]
    assert any(FAULTS[name][3] in line for line in lines), "\n".join(lines)


def test_every_gap_is_told_once_below_the_table_and_how_many_there_are_as_an_exercise_ends(audited):
    lines = audited.stdout.split("\n")
    gaps = [line for line in lines if ": " in line]
    assert len(gaps) == len(set(gaps)) > len(FAULTS)
    assert [line for line in gaps if line in audited.stderr] == []
    [total] = [line for line in lines if line.startswith("all ")]
    assert total.endswith(f" {len(gaps)}")
    assert "\nfew_checks: 2 gaps\n" in audited.stderr


def test_a_gap_that_several_answers_show_names_them_all_in_one_sentence(audited):
    about = [
        line for line in audited.stdout.split("\n") if line.startswith(("no_draws: ", "fails_on_text: "))
    ]
    assert [line for line in about if "not named" in line] == []  # that there are no draws is said
    [fails] = [line for line in about if "itself fails" in line]
    assert "fails on None, " in fails
    assert " and a dictionary: correct it: graders/checks/fails_on_text.py, line 58: TypeError" in fails


@pytest.mark.parametrize("name", ENTRY_SENTENCES)
def test_each_fault_of_an_entry_has_its_sentence(name: str, audited):
    lines = [line for line in audited.stdout.split("\n") if line.startswith(f"{name}: ")]
    assert any(ENTRY_SENTENCES[name] in line for line in lines), "\n".join(lines)


def test_a_course_that_is_no_toml_is_refused_with_the_line(tmp_path: Path):
    copy_tree(tmp_path)
    write_files(tmp_path, {"assignments/course.toml": "[a]\ntitle = \n"})
    done = softmark(tmp_path, "audit")
    assert done.returncode == 2
    assert "assignments/course.toml is no TOML: correct it:" in done.stderr
    assert "line 2" in done.stderr
