"""What students get: in one language, the same bytes each time, doable, and giving nothing away."""

import ast
import io
import json
import os
import re
import stat
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import nbformat
import pytest
import torch
import yaml
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment
from safetensors.torch import save

from graders import locations
from graders.answer_key.answer_key import AnswerKey, write_key
from graders.cli.actions import handout
from graders.cli.main import main
from graders.corpora.catalogue import corpus
from graders.course import reference
from graders.course.exercise import Assignment, assignment_names, load_assignment
from graders.course.late_policy import LatePolicy
from graders.course.reference import mistakes
from graders.extraction.extract import Source, extract, study
from graders.grade import Grader
from graders.handout import platform_files
from graders.handout.docstrings import keep_language
from graders.handout.fill_in_reference import fill_in_reference
from graders.handout.leak_check import find_leaks
from graders.handout.make import make_handout, write_handout
from graders.handout.notebook_file import as_module, as_notebook
from graders.handout.platform import PLATFORMS
from graders.handout.platform_files import Bundle, Files
from graders.handout.refused import HandoutRefused
from graders.handout.reproducible_zip import make_zip
from graders.handout.sheet import Sheet, sheet_of
from graders.handout.verify import verify
from graders.language import LANGUAGES, Language, speaking, text_in
from graders.results.result import Outcome
from graders.sandbox.box import Box
from graders.submission.read import read

ROOT = Path(__file__).parents[2]
TEMPLATES = ROOT / "graders/handout/templates"
PAIR = ("split_heads", "concat_heads")
NAMED = "softmark==0.1.0"  # a requirement in the place of a wheel, which takes seconds to make

FAKE = """#!/bin/sh
echo "$PWD: $*" >> "$SAID"
[ "$SAID" = /dev/null ] || echo "$SOFTMARK_KEYS" > "$SAID.keys"
for level in $FAILS; do case "$*" in *"--sandbox $level "*) exit 2;; esac; done
[ -z "$TO" ] || echo "{}" > "$TO"
exit "$STATUS"
"""


def load(language: Language, names: tuple[str, ...] = PAIR) -> Assignment:
    with speaking(language):
        return load_assignment("attention").only(names)


@pytest.fixture(scope="module")
def pair() -> Assignment:
    return load("fr")


@pytest.fixture(scope="module")
def files(pair: Assignment, box: Box) -> Files:
    """A handout in French, with its proofs and a wheel."""
    with speaking("fr"):
        return make_handout(Bundle(pair, "fr", "github"), lambda: nullcontext(box), 1)


def bundle(platform: str = "github", language: Language = "fr", **options) -> Bundle:
    return Bundle(load(language), language, platform, **{"softmark": NAMED, **options})


def sheet(name: str, language: Language) -> tuple[Assignment, Sheet]:
    with speaking(language):
        asked = load_assignment(name)
    return asked, sheet_of(asked, language, f"# {asked.title}")


def unpacked(files: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """All members of all zips and wheels, whatever their names."""
    for name, data in files.items():
        if zipfile.is_zipfile(io.BytesIO(data)):
            with zipfile.ZipFile(io.BytesIO(data)) as packed:
                inside = {f"{name}/{member}": packed.read(member) for member in packed.namelist()}
            yield from unpacked(inside)
        else:
            yield name, data


# What is in it


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", assignment_names())
class TestASheet:
    def test_is_a_valid_notebook_with_a_check_after_each_exercise(self, name, language):
        asked, cells = sheet(name, language)
        read_back = nbformat.reads(as_notebook(cells), as_version=4)
        nbformat.validate(read_back)
        assert len({cell.id for cell in read_back.cells}) == len(read_back.cells)
        checks = [c.source for c in read_back.cells if c.source.startswith("%check")]
        assert checks == [f"%check {each.name}" for each in asked.exercises]
        assert read_back.cells[1].source == f"%env SOFTMARK_LANG={language}\n%load_ext graders"

    def test_is_the_same_as_a_module(self, name, language):
        _, cells = sheet(name, language)
        text = as_module(cells)
        ast.parse(text)
        for cell in cells.cells:
            if cell.kind == "code":
                assert cell.text in text
            elif cell.kind == "markdown":
                assert all(f"# {line}".rstrip() in text for line in cell.text.split("\n"))
        assert "%check" not in text

    def test_speaks_one_language(self, name, language):
        asked, cells = sheet(name, language)
        text = "\n".join(cell.text for cell in cells.cells)
        assert "fr:" not in text
        for exercise in asked.exercises:
            for node in documented(exercise.handed_out):
                contracts = {each: text_in(ast.get_docstring(node), each).split("\n") for each in LANGUAGES}
                [other] = set(LANGUAGES) - {language}
                assert contracts[language][0] in text
                assert contracts[other][0] not in text

    def test_changes_nothing_but_docstrings(self, name, language):
        asked, cells = sheet(name, language)
        for exercise in asked.exercises:
            code = "\n".join(c.text for c in cells.cells if (c.kind, c.exercise) == ("code", exercise.name))
            assert undocumented(code) == undocumented(exercise.handed_out)
            kept = [ast.get_docstring(node) for node in documented(code)]
            assert kept == [text_in(ast.get_docstring(n), language) for n in documented(exercise.handed_out)]

    def test_can_be_answered_by_the_reference_in_each_stub(self, name, language, tmp_path):
        asked, cells = sheet(name, language)
        (path := tmp_path / f"{name}.py").write_text(as_module(fill_in_reference(cells, asked)))
        program = study(read(path))
        for exercise in asked.exercises:
            if exercise.rule is None:
                assert isinstance(extract(program, exercise.symbol, exercise.handed_out), Source)


def documented(code: str) -> list[ast.AST]:
    nodes = [n for n in ast.walk(ast.parse(code)) if isinstance(n, ast.FunctionDef | ast.ClassDef)]
    return [node for node in nodes if ast.get_docstring(node)]


def undocumented(code: str) -> str:
    tree = ast.parse(code)
    for node in documented(code):
        for same in ast.walk(tree):
            if isinstance(same, type(node)) and same.name == node.name and ast.get_docstring(same):
                same.body = same.body[1:]
    return ast.dump(tree)


@pytest.mark.parametrize(
    ("code", "french"),
    [
        (
            'def f():\n    """One.\n\n    fr: Un.\n    """\n    return 1',
            'def f():\n    """Un."""\n    return 1',
        ),
        ("def f():\n    r'''One \\d.\n\n    fr: Un \\d.\n    '''", "def f():\n    r'''Un \\d.'''"),
        ('def f(é="é"):\n    """É.\n\n    fr: È.\n    """  # é', 'def f(é="é"):\n    """È."""  # é'),
        ('class A:\n    "One."\n\n    def f(self):\n        """One."""', None),
        ('x = """One.\n\nfr: Un.\n"""', None),
        (
            'class A:\n    """One.\n\n    fr: Un.\n\n    Deux.\n    """\n\n    def f(self): "One.\\nfr: Un."',
            'class A:\n    """Un.\n\n    Deux.\n    """\n\n    def f(self): "One.\\nfr: Un."',
        ),
    ],
    ids=["one line", "raw", "bytes and characters", "one language", "no docstring", "in a class"],
)
def test_a_docstring_is_cut_to_its_french(code, french):
    assert keep_language(code, "fr") == (code if french is None else french)


WORDS = st.text("aé :(,'", min_size=1).filter(str.strip)


@given(english=st.lists(WORDS, min_size=1), french=st.lists(WORDS, min_size=1), deep=st.booleans())
def test_whatever_a_docstring_says_one_language_of_it_is_kept_and_all_code(english, french, deep):
    indent = "        " if deep else "    "
    text = f"\n{indent}".join([*english, "", f"fr: {french[0]}", *french[1:]])
    code = f'def f(é):\n    """{text}\n    """\n    return 1  # é\n'
    if deep:
        code = f'class A:\n    def f(self):\n        """{text}"""\n\n        return 1\n'
    [node] = documented(code)
    for language in LANGUAGES:
        kept = keep_language(code, language)
        assert undocumented(kept) == undocumented(code)
        [found] = documented(kept)
        assert ast.get_docstring(found).split() == text_in(ast.get_docstring(node), language).split()


def test_the_same_handout_is_the_same_bytes(files, pair):
    with speaking("fr"):
        again = Bundle(pair, "fr", "github").files()
    assert make_zip(again) == make_zip(dict(reversed(files.items())))


# To be done, and doable


def test_a_handout_as_it_is_counts_as_not_attempted_and_may_be_completed_in_either_form(
    files, pair, box, draws, tmp_path
):
    write_handout(tmp_path / "own", files)
    grader = Grader(pair, draws, box)
    as_it_is = grader.grade(tmp_path / "own", "own")
    assert {each.outcome for each in as_it_is.exercises} == {Outcome.NOT_ATTEMPTED}
    assert as_it_is.remarks == ()
    right = fill_in_reference(Bundle(pair, "fr", "github", NAMED).sheet, pair)
    for name, text in (("attention.ipynb", as_notebook(right)), ("attention.py", as_module(right))):
        write_handout(tmp_path / name, files)
        (tmp_path / name / name).write_text(text)
        # The form that was left as it is lies beside it, as it will.
        completed = grader.grade(tmp_path / name, "own")
        assert completed.points == completed.max_points
        assert completed.remarks == ()


def test_a_reference_that_is_filled_in_keeps_the_decorators_of_what_it_uses():
    asked, cells = sheet("foundations", "en")
    assert "@torch.no_grad()\ndef copy_parts(" in as_module(fill_in_reference(cells, asked))


def test_no_handout_is_made_where_the_reference_is_wrong(box, monkeypatch):
    text = reference.text
    wrong = text("split_heads").replace(".transpose(1, 2)", "", 1)
    monkeypatch.setattr(reference, "text", lambda name: wrong if name == "split_heads" else text(name))
    with pytest.raises(HandoutRefused, match="split_heads: the reference does not get full marks"):
        make_handout(Bundle(load("en", PAIR[:1]), "en", "github", NAMED), lambda: nullcontext(box), 1)


def test_no_handout_is_made_where_the_key_does_not_give_the_reference_full_marks(box):
    network = load("en", ("feed_forward",))
    empty = AnswerKey(write_key(network.name, 1, {}))
    with pytest.raises(HandoutRefused, match="the reference does not get full marks"):
        verify(sheet_of(network, "en", "# a"), network, box, 1, empty)


def test_no_handout_is_made_where_what_is_handed_out_counts_as_attempted(box, pair):
    cells = sheet_of(pair, "en", "")
    [code] = [c.text for c in cells.cells if (c.kind, c.exercise) == ("code", "split_heads")]
    begun = cells.changed("split_heads", code, "def split_heads(x, num_heads):\n    return x")
    with pytest.raises(HandoutRefused, match="split_heads: what is handed out is no stub"):
        verify(begun, pair, box, 1)


def test_no_handout_is_made_where_the_solution_itself_is_handed_out(box, pair):
    done = replace(pair.exercises[0], handed_out=f"# %%\n{reference.text('split_heads')}")
    given = replace(pair, exercises=(done,))
    with pytest.raises(HandoutRefused, match="split_heads: the reference does not get full marks"):
        verify(sheet_of(given, "en", ""), given, box, 1)


def test_no_handout_is_made_where_it_asks_for_other_arguments_than_the_reference_takes(box, pair):
    stub = pair.exercises[0].handed_out.replace("(x, num_heads)", "(num_heads, x)")
    given = replace(pair, exercises=(replace(pair.exercises[0], handed_out=stub),))
    with pytest.raises(HandoutRefused, match="split_heads: split_heads takes other arguments"):
        verify(sheet_of(given, "en", ""), given, box, 1)


def test_no_handout_is_made_where_a_cell_is_no_python(box, pair):
    cells = sheet_of(pair, "en", "")
    broken = replace(cells, cells=(*cells.cells, replace(cells.cells[3], text="def f(:")))
    with pytest.raises(HandoutRefused, match="not valid Python"):
        verify(broken, pair, box, 1)


# Giving nothing away

SECRET = "return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)"
ROW = """
    self.activation = nn.GELU()
    self.dropout = nn.Dropout(dropout)
    self.linear2 = nn.Linear(ff_dim, embed_dim)
"""


def in_a_notebook(text: str) -> bytes:
    cell = nbformat.v4.new_code_cell(text)
    return nbformat.writes(nbformat.v4.new_notebook(cells=[cell])).encode()


def test_the_secret_is_one():
    assert SECRET in reference.text("split_heads")
    assert all(line.strip() in reference.text("feed_forward") for line in ROW.split("\n"))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("README.md", f"Look:\n\n    {SECRET}\n".encode()),
        ("a.py", f"def f():\n    #   {SECRET}\n".encode()),
        ("a.ipynb", in_a_notebook(f'print("a")\n{SECRET}\nprint("b")')),
        ("a.zip", make_zip({"b/c.whl": make_zip({"d/e.py": SECRET.encode()})})),
        ("a.whl", make_zip({"graders/check_api/strategies/module_inputs.py": ROW.encode()})),
        ("a.zip", make_zip({"solutions/nothing.py": b""})),
        (
            "a.txt",
            b"    The scores are not scaled. Look at what they should be divided by before the softmax.\n",
        ),
    ],
    ids=["text", "comment", "notebook", "zip in a zip", "row of lines", "folder", "hint of a mistake"],
)
def test_what_gives_a_solution_away_is_found(name, data):
    [found] = find_leaks({"other.txt": b"nothing", name: data})
    assert found.startswith(name)


KEY = "attention.zip"
CODE = f"and then {SECRET}  # so"  # within a line


def in_a_key(name: str, data: bytes) -> bytes:
    """A handout whose key has a file more."""
    part = {"split_heads/small.json": b"{}", "split_heads/small.safetensors": b""}
    part |= {"split_heads/mistakes.json": b"{}", "split_heads/mistakes.safetensors": b""}
    key = write_key("attention", 1, {**part, name: data})
    return make_zip({"attention/attention.key": key, "attention/attention.py": b"a = 1"})


def with_a_comment() -> bytes:
    buffer = io.BytesIO(make_zip({"a.txt": b"a"}))
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.comment = CODE.encode()
    return buffer.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        make_zip({"graders/a.py": CODE.encode()}),
        make_zip({"graders/locale/softmark.mo": b"\xde\x12\x04\x95\0" + CODE.encode() + b"\0"}),
        make_zip({CODE.replace("/", ""): b"a"}),
        with_a_comment(),
        in_a_key("split_heads/small.json", json.dumps([1, {"v": [CODE]}]).encode()),
        in_a_key("split_heads/small.json", json.dumps({"d": {CODE: 1}}).encode()),
        in_a_key("split_heads/small.json", json.dumps("\n".join(["a", SECRET])).encode()),
        in_a_key("split_heads/small.safetensors", save({"x": torch.zeros(1)}, {"about": CODE})),
        in_a_key(
            "split_heads/small.safetensors", save({"x": torch.tensor(list(CODE.encode())).to(torch.uint8)})
        ),
    ],
    ids=[
        "a wheel's module", "a binary file", "a file's name", "a zip's comment", "a key's string",
        "a key's name", "a key's text", "about a key's numbers", "a key's numbers",
    ],
)  # fmt: skip
def test_a_line_of_code_is_found_in_each_kind_of_place(data):
    [found] = find_leaks({KEY: data})
    assert SECRET in found


def test_an_argument_and_a_hint_are_no_leak():
    answer = ROOT / "solutions/right/bert_layer/renamed_of_torch.py"
    assert "hidden_size," in answer.read_text(encoding="utf-8")
    hint = " ".join((mistakes("split_heads", "split_heads")["split_heads__strided"].__doc__ or "").split())
    key = in_a_key("split_heads/mistakes.json", json.dumps({"4 * hidden_size, or": hint}).encode())
    assert find_leaks({KEY: key}) == []


def test_no_handout_is_made_that_gives_something_away(box, monkeypatch):
    monkeypatch.setattr(Bundle, "files", lambda self: {"README.md": SECRET.encode()})
    with pytest.raises(HandoutRefused, match=r"it would give solutions away: README\.md: return x"):
        make_handout(bundle(), lambda: nullcontext(box), 1)


def test_no_line_of_the_solutions_is_in_any_member_of_the_zip(files):
    public, secret = lines_of("assignments", "graders", "reports", "softmark_worker"), lines_of("solutions")
    secret = {line for line in secret - public if len(line) > 8}
    assert len(secret) > 4000
    members = dict(unpacked({"handout.zip": make_zip(files)}))
    assert any(name.endswith("graders/grade.py") for name in members)
    for name, data in members.items():
        text = data.decode("utf-8", "replace")
        if name.endswith(".ipynb"):
            text = "\n".join(cell.source for cell in nbformat.reads(text, as_version=4).cells)
        assert not secret & {line.strip() for line in text.split("\n")}, name
        assert "solutions" not in Path(name).parts


def lines_of(*folders: str) -> set[str]:
    texts = (path.read_text() for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return {line.strip() for text in texts for line in text.split("\n")}


# What runs it


def test_only_machines_that_grade_have_pytorch_pinned_and_no_jupyter():
    pinned = f"torch=={torch.__version__.partition('+')[0]}"
    at_github = yaml.safe_load(bundle("github").files()[".github/workflows/classroom.yml"])["jobs"][
        "softmark"
    ]
    [install] = [step["run"] for step in at_github["steps"] if step.get("name") == "pip"]
    for told in (
        install,
        bundle("classroom50").files()["autograders/attention/requirements.txt"].decode(),
        dict(unpacked(bundle("gradescope").files()))["autograder.zip/requirements.txt"].decode(),
    ):
        assert pinned in told
        assert NAMED in told
        assert "jupyter" not in told
    for_students = bundle("classroom50").files()["students/requirements.txt"].decode()
    assert "jupyterlab" in for_students
    assert pinned not in for_students


def test_the_workflow_is_yaml_with_few_rights_that_ends(files):
    flow = yaml.safe_load(files[".github/workflows/classroom.yml"])
    [job] = flow["jobs"].values()
    assert flow["permissions"] == {"contents": "read"}
    assert flow["concurrency"]["cancel-in-progress"] is True
    assert job["timeout-minutes"] <= 15
    steps = {step.get("id") or step.get("name") or step["uses"]: step for step in job["steps"]}
    assert steps["softmark"]["run"].split()[:5] == [
        *("~/softmark/bin/softmark", "check", ".", "--assignment", "attention")
    ]
    reporter = steps["classroom-resources/autograding-grading-reporter@v1"]
    assert reporter["with"]["runners"].upper() + "_RESULTS" in reporter["env"]
    assert reporter["env"]["SOFTMARK_RESULTS"] == "${{ steps.softmark.outputs.result }}"
    assert all(re.search(r"@v\d+$", step["uses"]) for step in job["steps"] if "uses" in step)


def test_the_dev_container_is_json(files):
    made_of = json.loads(files[".devcontainer/devcontainer.json"])
    assert made_of["postCreateCommand"] == "pip install -r requirements.txt"
    assert made_of["containerEnv"] == {"SOFTMARK_LANG": "fr"}


def test_what_is_installed_is_in_the_handout_or_as_it_was_named(files):
    lines = files["requirements.txt"].decode().split("\n")
    [wheel] = [line for line in lines if "softmark-" in line]
    assert wheel.removesuffix("[course]").removeprefix("./") in files
    assert [line for line in lines if line.startswith("torch")] == ["torch>=2.6"]
    assert NAMED in bundle().files()["requirements.txt"].decode().split("\n")
    assert not [name for name in bundle().files() if "wheels" in name]


@pytest.mark.programs
def test_a_wheel_holds_the_code_alone_and_the_key_lies_beside_the_notebook():
    made = bundle(softmark=None, answer_key=b"key" * 100_000).files()
    [wheel] = [name for name in made if name.endswith(".whl")]
    assert len(made[wheel]) < 2_500_000
    assert made["attention.key"] == b"key" * 100_000
    assert wheel == next(name for name in bundle(softmark=None).files() if name.endswith(".whl"))


@pytest.mark.parametrize("platform", PLATFORMS)
def test_an_answer_key_lies_beside_the_notebook_and_beside_an_autograder(platform):
    members = {name for name, _ in unpacked(bundle(platform, answer_key=b"key").files())}
    assert {name for name in members if name.endswith(".key")} == {
        "github": {"attention.key"},
        "classroom50": {"students/attention.key", "autograders/attention/attention.key"},
        "gradescope": {"attention.zip/attention/attention.key", "autograder.zip/attention.key"},
        "moodle": {"attention.zip/attention/attention.key"},
        "colab": {"attention-colab.zip/attention.key"},
    }[platform]


@pytest.mark.parametrize("platform", PLATFORMS)
def test_each_platform_has_its_files(platform):
    made_files = bundle(platform).files()
    members = {name for name, _ in unpacked(made_files)}
    assert {
        "github": {"README.md", "attention.ipynb", "attention.py", ".github/workflows/classroom.yml"},
        "classroom50": {"README.md", "students/attention.ipynb", "autograders/attention/autograder.py"},
        "gradescope": {"README.md", "attention.zip/attention/attention.py", "autograder.zip/setup.sh"},
        "moodle": {"README.md", "attention.zip/attention/attention.ipynb"},
        "colab": {"README.md", "attention.ipynb"},
    }[platform] <= members
    assert (platform == "github") == any("workflows" in name for name in members)
    assert made_files == bundle(platform).files()


def test_only_gradescopes_autograder_may_have_the_solutions_and_only_if_asked():
    members = {name for name, _ in unpacked(bundle("gradescope", with_solutions=True).files())}
    assert "autograder.zip/solutions/split_heads.py" in members
    assert not [name for name in members if "solutions" in name and not name.startswith("autograder.zip/")]
    assert not [name for name, _ in unpacked(bundle("gradescope").files()) if "solutions" in name]


@pytest.fixture
def autograder(tmp_path: Path) -> Path:
    """Gradescope's folder as it is when a submission comes, with a softmark that writes down its calls."""
    packed = bundle("gradescope", "en", answer_key=b"key").files()["autograder.zip"]
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        rights = {entry.filename: entry.external_attr >> 16 for entry in archive.infolist()}
        assert all(rights[name] & stat.S_IXUSR for name in ("setup.sh", "run_autograder"))
        archive.extractall(tmp_path)
    for name in ("softmark/bin", "results", "submission"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("setup.sh", "run_autograder"):
        script = (tmp_path / name).read_text().replace("/autograder", str(tmp_path))
        (tmp_path / name).write_text(script)
        subprocess.run(["bash", "-n", tmp_path / name], check=True)
    fake(tmp_path / "softmark/bin/softmark")
    return tmp_path


def fake(path: Path) -> None:
    path.write_text(FAKE)
    path.chmod(0o755)


@pytest.mark.parametrize(("status", "kept"), [(0, True), (3, False)], ids=["graded", "our fault"])
@pytest.mark.programs
def test_gradescope_gets_results_of_the_best_box_that_holds_and_none_of_a_fault(autograder, status, kept):
    said_to, results = autograder / "said", autograder / "results/results.json"
    environment = {"SAID": str(said_to), "FAILS": "nested boxed", "TO": str(results), "STATUS": str(status)}
    done = subprocess.run(["bash", autograder / "run_autograder"], env=os.environ | environment, check=False)
    assert Path(f"{said_to}.keys").read_text() == f"{autograder}/source\n"
    calls = said_to.read_text().split("\n")[:-1]
    assert [re.search(r"--sandbox (\w+)", call)[1] for call in calls] == ["nested", "boxed", "fresh"]
    assert "check submission --assignment attention" in calls[0]
    assert (done.returncode, results.exists()) == (status, kept)


@pytest.mark.programs
def test_gradescope_gets_an_error_where_no_box_holds(autograder):
    environment = {"SAID": "/dev/null", "FAILS": "nested boxed fresh reduced", "TO": "", "STATUS": "0"}
    done = subprocess.run(["bash", autograder / "run_autograder"], env=os.environ | environment, check=False)
    assert done.returncode == 2


@pytest.mark.parametrize("status", [0, 3])
@pytest.mark.programs
def test_classroom50_gets_what_softmark_says_of_the_checkout(tmp_path, status):
    bundled, checkout = tmp_path / "bundle", tmp_path / "checkout"
    write_handout(bundled, bundle("classroom50", "en", answer_key=b"key").files())
    checkout.mkdir()
    fake(tmp_path / "softmark")
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin", "SAID": str(tmp_path / "said"), "STATUS": str(status)}
    script = bundled / "autograders/attention/autograder.py"
    done = subprocess.run([sys.executable, script], cwd=checkout, env=environment, check=False)
    assert done.returncode == status
    wanted = "--assignment attention --format classroom50 --fail-on ours --lang en"
    assert (tmp_path / "said").read_text() == f"{checkout}: check . {wanted}\n"
    assert (tmp_path / "said.keys").read_text() == f"{script.parent}\n"


def test_the_formats_that_are_asked_for_are_those_that_check_has():
    outputs = pytest.importorskip("graders.cli.output_formats")
    text = "\n".join(path.read_text() for path in TEMPLATES.glob("*.j2"))
    asked = set(re.findall(r'--format"?,? "?(\w+)', text))
    assert {"github", "classroom", "classroom50", "gradescope"} <= asked <= set(outputs.FORMATS)


# Its texts


@pytest.mark.parametrize("name", sorted(path.name for path in (TEMPLATES / "en").iterdir()))
def test_a_text_is_built_alike_in_both_languages(name):
    texts = [(TEMPLATES / language / name).read_text() for language in LANGUAGES]
    tags = [re.findall(r"{%.*?%}|^#+ |^```.*$|^\|", text, re.MULTILINE) for text in texts]
    assert tags[0] == tags[1]
    values = [sorted(re.findall(r"{{.*?}}", text)) for text in texts]
    assert values[0] == values[1]
    for text in texts:
        Environment(autoescape=False, extensions=["jinja2.ext.i18n"]).parse(text)


def test_no_text_is_in_one_language_alone():
    names = [{path.name for path in (TEMPLATES / language).iterdir()} for language in LANGUAGES]
    assert names[0] == names[1]


@pytest.mark.parametrize("path", sorted((TEMPLATES / "fr").iterdir()), ids=lambda path: path.name)
def test_french_has_its_spaces(path):
    text = re.sub(r"```.*?```|`[^`\n]*`|{%.*?%}|{{.*?}}", "x", path.read_text(), flags=re.DOTALL)
    assert not re.search(r"(?<![\u00a0\u202f]) ?[;!?»](?=\s|$)", text)
    assert not re.search(r"[^\u00a0]:(?=\s|$)", text)
    assert not re.search(r"«(?!\u00a0)", text)


@pytest.mark.parametrize(("name", "trains"), [("minigpt", True), ("attention", False)])
def test_the_text_to_train_on_comes_along_where_a_model_is_trained(name, trains):
    with speaking("en"):
        handed_out = Bundle(load_assignment(name), "en", "github", NAMED).students()
    assert ("train.txt" in handed_out["README.md"].decode()) is trains
    assert handed_out.get("train.txt") == (corpus("french", 1).train.encode() if trains else None)
    assert "train.txt" not in handed_out[".gitignore"].decode()


DUE = LatePolicy(datetime(2026, 11, 20, tzinfo=UTC))


@pytest.mark.parametrize(
    ("rule", "attempt", "says"),
    [
        (None, "latest", []),
        (DUE, "latest", ["What is there then counts, or what you"]),
        (DUE, "last_in_time", ["and nothing that comes"]),
    ],
)
def test_a_repository_says_what_counts_of_late_pushes(rule, attempt, says, monkeypatch):
    monkeypatch.setattr(platform_files, "late_policy", lambda _: rule)
    monkeypatch.setattr(platform_files, "attempt_policy", lambda _: attempt)
    text = bundle("github", "en").files()["README.md"].decode()
    known = ["What is there then counts, or what you", "and nothing that comes"]
    assert [sentence for sentence in known if sentence in text] == says
    assert "push it to this repository before the deadline." in text


# The command


@pytest.fixture
def invoke(monkeypatch, tmp_path, files):
    """`softmark handout attention --out <tmp>/out`, where the handout is made already."""
    monkeypatch.setattr(handout, "make_handout", lambda *_: files)
    monkeypatch.setattr(handout, "best", lambda _: (nullcontext(), []))
    monkeypatch.setattr(handout, "make_and_show", lambda *_, **__: b"")
    arguments = ["handout", "attention", "--lang", "en", "--out", str(tmp_path / "out")]
    return lambda *options: CliRunner().invoke(main, [*arguments, *options])


def test_a_handout_is_written_and_as_a_zip_if_asked(invoke, tmp_path, files):
    done = invoke("--zip")
    assert done.exit_code == 0, done.output
    assert written_in(tmp_path / "out") == files
    assert (tmp_path / "out.zip").read_bytes() == make_zip(files)


def test_an_answer_key_goes_along_unless_it_is_kept_back_or_solutions_do(invoke, monkeypatch):
    made = []
    monkeypatch.setattr(handout, "make_and_show", lambda *_, hints: made.append(hints) or b"")
    options = ([], ["--key", "values"], ["--key", "none"], ["--platform", "gradescope", "--with-solutions"])
    assert [invoke("--force", *more).exit_code for more in options] == [0] * 4
    assert made == [True, False]


@pytest.mark.parametrize(("named", "told"), [("github", True), ("moodle", False)])
def test_a_file_that_github_refuses_is_named(invoke, monkeypatch, files, named, told):
    monkeypatch.setattr(handout, "make_handout", lambda *_: {**files, "big.key": bytes((100 << 20) + 1)})
    done = invoke("--platform", named)
    assert done.exit_code == 0, done.output
    assert ("big.key has 100 MB: GitHub refuses it" in done.output) is told


def written_in(folder: Path) -> Files:
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(paths)}


def test_a_folder_with_something_in_it_is_left_alone(invoke, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/notes.txt").write_text("mine")
    done = invoke()
    assert (done.exit_code, "--force" in done.output) == (2, True)
    assert written_in(tmp_path / "out") == {"notes.txt": b"mine"}


def test_force_writes_over_a_handout_and_leaves_what_else_is_there(invoke, tmp_path, files):
    invoke()
    (tmp_path / "out/wheels/softmark-0.0.1-py3-none-any.whl").write_bytes(b"old")
    (tmp_path / "out/.git").mkdir()
    (tmp_path / "out/.git/HEAD").write_bytes(b"ref")
    (tmp_path / "out/README.md").write_bytes(b"old")
    assert invoke("--force").exit_code == 0
    assert written_in(tmp_path / "out") == {**files, ".git/HEAD": b"ref"}


def test_the_folder_may_be_the_one_that_one_is_in(invoke, tmp_path, files, monkeypatch):
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path / "out")
    done = CliRunner().invoke(main, ["handout", "attention", "--lang", "en", "--out", ".", "--zip"])
    assert done.exit_code == 0, done.output
    assert written_in(tmp_path / "out") == files
    assert (tmp_path / "out.zip").exists()


def test_what_is_refused_leaves_nothing_behind(invoke, tmp_path, monkeypatch):
    def refuse(*_):
        raise HandoutRefused("split_heads: it is so")

    monkeypatch.setattr(handout, "make_handout", refuse)
    done = invoke()
    assert (done.exit_code, "no handout is made: split_heads: it is so" in done.output) == (3, True)
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_is_full_leaves_nothing_behind(tmp_path, files, monkeypatch):
    def full(path, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        write_handout(tmp_path / "out", files)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["attenton"], "did you mean attention"),
        (["attention", "--with-solutions"], "for gradescope alone"),
        (["attention", "--platform", "moodel"], "moodle"),
    ],
    ids=["no such assignment", "solutions for students", "no such platform"],
)
def test_wrong_usage_exits_with_2_and_a_sentence(options, says, tmp_path):
    done = CliRunner().invoke(main, ["handout", *options, "--lang", "en", "--out", str(tmp_path / "out")])
    assert (done.exit_code, says in done.output) == (2, True), done.output


def test_without_solutions_there_is_no_handout(tmp_path, monkeypatch):
    monkeypatch.setenv(locations.SOLUTIONS_VARIABLE, str(tmp_path / "nowhere"))
    done = CliRunner().invoke(main, ["handout", "attention", "--lang", "en", "--out", str(tmp_path / "out")])
    assert (done.exit_code, locations.SOLUTIONS_VARIABLE in done.output) == (2, True)
