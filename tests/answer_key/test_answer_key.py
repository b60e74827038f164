"""With an answer key and without solutions, verdicts are the same: outcomes, names of mistakes, hints."""

import io
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from graders.answer_key import answer_key, code_digest
from graders.answer_key.answer_key import EXAMPLES, MISTAKES, AnswerKey
from graders.answer_key.find_keys import VARIABLE, AnswerKeys, find_keys, folders_of
from graders.answer_key.pack import BadKey
from graders.candidate.local_candidate import LocalCandidate
from graders.cli.main import main
from graders.course import reference
from graders.course.exercise import Assignment, load_assignment
from graders.course.reference import mistakes
from graders.diagnosis.combine import both
from graders.handout.leak_check import SHORTEST, find_leaks
from graders.handout.make_key import make_key
from graders.handout.refused import HandoutRefused
from graders.judging.draws import Draws
from graders.locations import SOLUTIONS_VARIABLE
from tests.answer_key.same_verdicts import compare_mistakes

WRONG = """
def split_heads(x, num_heads):
    B, S, E = x.shape
    return x.reshape(B, num_heads, S, E // num_heads)
"""


@pytest.fixture(scope="module")
def heads() -> Assignment:
    return load_assignment("attention").only(["split_heads"])


@pytest.fixture(scope="module")
def data(heads: Assignment) -> bytes:
    return make_key(heads, 1)


@pytest.fixture
def student(data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A student's folder: no solutions, and the key."""
    monkeypatch.setenv(SOLUTIONS_VARIABLE, str(tmp_path / "absent"))
    (tmp_path / "attention.key").write_bytes(data)
    (tmp_path / "attention.py").write_text(WRONG, encoding="utf-8")
    return tmp_path


def test_every_known_mistake_gets_the_verdict_that_the_solutions_give(heads: Assignment, data: bytes) -> None:
    [exercise] = heads.exercises
    compared = list(compare_mistakes(exercise, Draws(1), Draws(1, key=AnswerKey(data))))
    assert len(compared) > 5
    assert [name for name, due, found in compared if due != found] == []


def test_two_mistakes_at_once_are_named(heads: Assignment, data: bytes) -> None:
    [exercise] = heads.exercises
    known = mistakes("split_heads", "split_heads")
    both_at_once = both("split_heads", known["split_heads__strided"], known["split_heads__reversed"])
    live, keyed = (Draws(1, key=key).known_mistakes(exercise) for key in (None, AnswerKey(data)))
    assert live and keyed
    named = live.identify(LocalCandidate(both_at_once))
    assert keyed.identify(LocalCandidate(both_at_once)) == named != ()


def test_a_key_is_data_and_gives_no_solution_away(data: bytes) -> None:
    assert find_leaks({"attention.key": data}) == []
    assert b"pickle" not in data
    texts = read_all(data)
    lines = {line.strip() for text in reference.texts().values() for line in text.splitlines()}
    hints = "".join(known_hints())
    code = {line for line in lines if len(line) >= SHORTEST and line.strip('"') not in hints}
    assert [line for line in code if line in texts] == []


def read_all(data: bytes) -> str:
    """All that a key holds, as text."""
    with zipfile.ZipFile(io.BytesIO(data)) as key:
        return "\n".join(key.read(name).decode("utf-8", "replace") for name in key.namelist())


def known_hints() -> list[str]:
    known = mistakes("split_heads", "split_heads").values()
    return [" ".join((mistake.__doc__ or "").split()) for mistake in known]


def test_a_key_without_hints_knows_no_mistake(heads: Assignment) -> None:
    key = AnswerKey(make_key(heads, 1, hints=False))
    assert key.part("split_heads", MISTAKES) is None
    assert key.part("split_heads", EXAMPLES)


def test_the_same_course_has_the_same_key(heads: Assignment, data: bytes) -> None:
    assert make_key(heads, 1) == data


def test_a_draw_that_is_no_data_is_told_and_not_packed(heads: Assignment, monkeypatch) -> None:
    monkeypatch.setattr("graders.handout.make_key.store", lambda *_, **__: object())
    with pytest.raises(HandoutRefused, match=r"a key holds data alone, but .* builtins\.object"):
        make_key(heads, 1)


def held(seed: int = 1, *folders: Path) -> bool:
    """Whether a key decides here under a seed."""
    keys = find_keys(seed, folders)
    return keys is not None and keys.part("split_heads", EXAMPLES) is not None


def unused(keys: AnswerKeys | None, exercise: str = "split_heads") -> str:
    """Why a key does not decide an exercise of attention."""
    assert keys is not None
    return "\n".join(keys.describe_unused("attention", [exercise]))


def test_a_key_decides_for_its_seed_alone_and_says_so(student: Path) -> None:
    assert held(1, student)
    assert not held(2, student)
    assert unused(find_keys(1, [student])) == ""
    assert "attention.key is not used: it has the answers to the draws of seed 1" in unused(
        find_keys(2, [student])
    )


def test_a_key_is_looked_for_beside_what_is_checked_in_the_working_directory_and_where_a_variable_says(
    student: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    monkeypatch.chdir(elsewhere)
    assert not held()
    zipped = student / "attention.zip"
    zipped.write_bytes(b"")
    for submission in (student / "attention.py", zipped, student, student.parent):
        assert held(1, *folders_of(submission)), submission
    monkeypatch.chdir(student)
    assert held()
    monkeypatch.setenv(VARIABLE, str(elsewhere))
    assert not held(1, student)
    monkeypatch.chdir(elsewhere)
    monkeypatch.setenv(VARIABLE, str(student))
    assert held()


def test_a_key_that_was_made_with_other_checks_is_not_used_and_what_to_type_is_said(
    student: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digests = code_digest.exercise_digests
    monkeypatch.setattr(answer_key, "exercise_digests", lambda names: dict.fromkeys(digests(names), "other"))
    assert not held(1, student)
    said = unused(find_keys(1, [student]))
    assert "attention.key is not used for split_heads: it was made with other checks" in said
    assert "Download the handout again" in said
    (student / "wheels").mkdir()
    (student / "wheels/softmark-0.1.0+cother-py3-none-any.whl").touch()
    assert f"Type, in {student}: pip install -r requirements.txt" in unused(find_keys(1, [student]))
    assert unused(find_keys(1, [student]), "concat_heads") == ""  # it never was for that one


def test_a_key_that_fits_elsewhere_takes_the_place_of_one_that_does_not(student: Path) -> None:
    (student / "old").mkdir()
    (student / "old/attention.key").write_bytes(b"no key")
    assert held(1, student / "old", student)
    assert unused(find_keys(1, [student / "old", student])) == ""


@pytest.mark.parametrize("change", ["another text", "a bit", "absent"])
def test_a_key_that_was_damaged_or_edited_decides_nothing_and_is_told(student: Path, change: str) -> None:
    written = io.BytesIO()
    with zipfile.ZipFile(student / "attention.key") as key, zipfile.ZipFile(written, "w") as changed:
        for name in key.namelist():
            if not name.startswith("split_heads"):
                changed.writestr(name, key.read(name))
            elif change != "absent":
                changed.writestr(name, key.read(name) + (b" " if change == "another text" else b""))
    damaged = written.getvalue()
    if change == "a bit":  # of what the zip stores as it is
        place = damaged.rindex(b"PK\x03\x04") + 200
        damaged = damaged[:place] + bytes([damaged[place] ^ 1]) + damaged[place + 1 :]
    (student / "attention.key").write_bytes(damaged)
    keys = find_keys(1, [student])
    assert keys is not None
    for part in (MISTAKES, EXAMPLES, "small", "further", "sizes"):
        keys.part("split_heads", part)
    assert keys.part("split_heads", EXAMPLES) is None
    assert "attention.key is not used: it is damaged, or somebody has changed it" in unused(keys)


def test_where_the_solutions_are_keys_are_not_used(data: bytes, tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "attention.key").write_bytes(data)
    assert find_keys(1, [tmp_path]) is None


def test_what_is_no_key_is_passed_over_and_named(student: Path) -> None:
    (student / "attention.key").write_bytes(b"no key")
    assert not held(1, student)
    assert "attention.key is not used: this softmark (" in unused(find_keys(1, [student]))
    with pytest.raises(BadKey):
        AnswerKey(b"no key")


@pytest.mark.programs
def test_a_student_without_solutions_reads_the_hint(student: Path) -> None:
    options = ["--exercise", "split_heads", "--no-timing", "--lang", "en"]
    done = CliRunner().invoke(main, ["check", str(student / "attention.py"), *options])
    assert "hint: " in done.output
    assert "decided at hand-in" not in done.output
