"""What runs keep on the disk: the next one reads it, makes again what is damaged, and has equal results."""

import ast
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
import torch

from graders import locations
from graders.answer_key.code_digest import modules_below
from graders.batch import prepare_run
from graders.batch.prepare_run import end_run, make_draws
from graders.check_api import reference_values
from graders.check_api.target import Target
from graders.course.exercise import Exercise, load_assignment
from graders.diagnosis import possible_mistake
from graders.diagnosis.own_answers import OwnAnswers
from graders.diagnosis.several_mistakes import SeveralMistakes
from graders.grade import Grader
from graders.judging import drawing as chosen_draws
from graders.judging import draws as drawing
from graders.judging.chosen_before import ChosenBefore, choosing_as
from graders.judging.drawing import contents_key, draw_examples
from graders.judging.draws import Draws
from graders.judging.kept import made_from as digests
from graders.judging.kept.kept_work import Shelf
from graders.judging.kept.made_from import CODE, made_from
from graders.judging.kept.records import Record, write_records
from graders.locations import CACHE_OFF, CACHE_VARIABLE
from graders.results.kept_folder import FOLDERS, WORK, KeptFolder
from graders.results.result import to_json
from graders.sandbox.box_options import BEST_BOX
from graders.sandbox.isolation.level import IsolationLevel

VALUE = [{"x": torch.arange(6.0).reshape(2, 3), "n": 3}, (1.5, None, True)]
AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder for each test, and draws that no other test has made."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(drawing, "draw_examples", draw_examples)
    for shared in ("for_check", "small_cases", "known_mistakes"):
        monkeypatch.setattr(Draws, shared, getattr(Draws, shared).__wrapped__)
    return tmp_path / "cache"


@pytest.fixture(scope="module")
def concat_heads() -> Exercise:
    return load_assignment("attention").only(["concat_heads"]).exercises[0]


def kept(name: str = "shelf") -> Path:
    """The file of a shelf with one value."""
    shelf = Shelf(name)
    assert shelf.put("key", VALUE)
    shelf.save()
    return WORK.path / name


def is_kept(name: str = "shelf") -> bool:
    """Whether a new shelf finds the value, as it was."""
    found = Shelf(name).find("key")
    return found is not None and contents_key(found[0]) == contents_key(VALUE[0]) and found[1] == VALUE[1]


def test_what_one_run_keeps_the_next_one_reads():
    kept()
    assert is_kept()
    assert Shelf("shelf").find("another") is None


def test_shelves_of_two_processes_keep_what_each_has_made():
    one, other = Shelf("shelf"), Shelf("shelf")
    for number, shelf in enumerate((one, other)):
        shelf.put(f"key {number}", number)
        shelf.save()
    one.save()
    assert [shelf.find("key 1") for shelf in (one, other, Shelf("shelf"))] == [1, 1, 1]
    assert other.find("key 0") == 0


DAMAGES = {
    "empty": lambda data: b"",
    "cut": lambda data: data[:-9],
    "cut in the lengths": lambda data: data[:30],
    "another format": lambda data: data.replace(b"work 1", b"work 2"),
    "another number": lambda data: data.replace(torch.tensor(5.0).numpy().tobytes(), b"\1\2\3\4"),
    "a lie about lengths": lambda data: data[:21] + b"\xff" * 24 + data[45:],
    "foreign": lambda data: os.urandom(len(data)),
    "a pickle": lambda data: b"\x80\x04\x95" + data,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_counts_for_nothing_and_is_made_again(damage):
    file = kept()
    data = file.read_bytes()
    file.write_bytes(damage(data))
    assert file.read_bytes() != data
    shelf = Shelf("shelf")
    assert shelf.find("key") is None
    assert shelf.find_or_make("key", lambda: VALUE, lambda *_: True) is VALUE
    shelf.save()
    assert is_kept()


@pytest.mark.parametrize(
    "text", ['{"c":"os:system","#":0,"v":{}}', '{"n":"function"}', '{"x":["int64",0,9]}', "{"]
)
def test_a_record_that_is_no_data_of_ours_is_made_again(text):
    file = kept()
    file.write_bytes(write_records({"key": Record.of(text.encode(), b"")}))
    assert Shelf("shelf").find("key") is None


class Pair(NamedTuple):
    """A value that would come back as a plain tuple."""

    first: int
    second: int


@pytest.mark.parametrize("value", [[Pair(1, 2)], [object()], [lambda: 0]], ids=["other", "object", "code"])
def test_what_would_come_back_as_something_else_is_not_kept(value):
    shelf = Shelf("shelf")
    assert shelf.find_or_make("key", lambda: value, drawing._are_same) is value
    shelf.save()
    assert Shelf("shelf").find("key") is None


def test_a_link_in_the_place_of_a_file_is_not_read(tmp_path: Path):
    file = kept()
    file.rename(tmp_path / "elsewhere")
    file.symlink_to(tmp_path / "elsewhere")
    assert not is_kept()


def test_a_folder_that_others_may_write_is_not_read_and_not_written():
    file = kept()
    file.parent.chmod(0o770)
    assert not is_kept()
    kept("another")
    assert not (file.parent / "another").exists()


@pytest.mark.skipif(not AS_ROOT, reason="only root can give files away")
def test_files_of_another_user_are_not_read():
    file = kept()
    os.chown(file, 1234, 1234)
    assert not is_kept()


@pytest.mark.parametrize("named", [CACHE_OFF, "/proc/none", "file"])
def test_where_nothing_can_be_kept_the_draws_are_made(named, tmp_path, monkeypatch, concat_heads):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(CACHE_VARIABLE, named)
    draws = Draws(1).keeping()
    assert draws.for_check(concat_heads, concat_heads.checks[0])
    draws.save()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


def test_the_oldest_files_go_first():
    folder = KeptFolder("small", most_bytes=250)
    for number in range(4):
        folder.keep(str(number), b"x" * 100)
        os.utime(folder.path / str(number), (number, number))
    assert [folder.has(str(number)) for number in range(4)] == [False, False, True, True]


def test_a_second_run_draws_nothing_and_has_the_same_draws(monkeypatch, concat_heads):
    first = Draws(1).keeping()
    made = {check.name: first.for_check(concat_heads, check) for check in concat_heads.checks}
    first.save()
    monkeypatch.setattr(drawing, "draw_examples", lambda *_: pytest.fail("it draws"))
    second = Draws(1).keeping()
    for each in concat_heads.checks:
        read = second.for_check(concat_heads, each)
        assert [contents_key(e.draw) for e in read] == [contents_key(e.draw) for e in made[each.name]]
    with pytest.raises(pytest.fail.Exception, match="it draws"):
        second.under(2).for_check(concat_heads, concat_heads.checks[0])


@pytest.mark.parametrize("name", ["concat_heads", "split_heads", "multi_head_attention"])
def test_a_run_under_another_seed_has_its_draws_from_what_was_chosen_before(monkeypatch, name):
    [exercise] = load_assignment("attention").only([name]).exercises
    first = Draws(1).keeping()
    for each in exercise.checks:
        first.for_check(exercise, each)
    first.save()
    by_seed = {seed: [Draws(seed)._draw(exercise, each) for each in exercise.checks] for seed in (1, 2)}
    with monkeypatch.context() as watched:
        watched.setattr(chosen_draws, "_collect_telling", lambda *_: pytest.fail("it looks for draws"))
        again = [Draws(2).keeping()._draw(exercise, each) for each in exercise.checks]
    assert [*map(contents_of, again)] == [*map(contents_of, by_seed[2])] != [*map(contents_of, by_seed[1])]


def contents_of(draws: list[object]) -> list[object]:
    return [*map(contents_key, draws)]


@pytest.mark.parametrize("choices", [[], [[]], [[1, "no number", 3]], [[10**9] * 40]], ids=repr)
def test_choices_that_no_strategy_makes_are_made_anew(concat_heads, choices):
    each = concat_heads.checks[0]
    with choosing_as(before := ChosenBefore({"0": (True, choices)} if choices else {})):
        draws = draw_examples(each, 1, 2)
    assert contents_of(draws) == contents_of(draw_examples(each, 1, 2))
    assert before.changed and before.known["0"][1] != choices


def test_a_second_run_computes_no_answer_and_measures_no_rounding_again(monkeypatch):
    [exercise] = load_assignment("attention").only(["feed_forward"]).exercises
    [core] = [each for each in exercise.checks if each.core]

    def targets(draws: Draws) -> list[Target]:
        answers = [example.answer[0] for example in draws.for_check(exercise, core)]
        return [target for answer in answers for target in answer.outputs[0][:1]]

    first = Draws(1).keeping()
    made = [(target.exact, target.tolerance) for target in targets(first)]
    first.save()
    with monkeypatch.context() as watched:
        watched.setattr(reference_values, "exactly", lambda *_: pytest.fail("it computes"))
        read = targets(Draws(1).keeping())
    assert len(read) == len(made) > 3
    assert all(target.exact.equal(exact) for target, (exact, _) in zip(read, made, strict=True))
    monkeypatch.setattr(reference_values, "rounding", lambda *_, **__: pytest.fail("it measures"))
    assert [target.tolerance for target in read] == [tolerance for _, tolerance in made]


def test_a_second_run_asks_no_known_mistake_again(monkeypatch):
    [exercise] = load_assignment("attention").only(["feed_forward"]).exercises

    def seen(draws: Draws) -> list[object]:
        known = draws.known_mistakes(exercise)
        assert known is not None
        pair, mistake = known._two_at_once()[0], known._alone[0]
        several = SeveralMistakes(
            symbol=known.symbol,
            reference=known.reference,
            mistakes=known._symbols,
            draws=known.draws,
            activations=(),
            kept=known._kept,
        )
        stages = several._combinations(())
        values = [*pair.values(0, frozenset()), *stages.values(mistake.names, 1, 0, frozenset())]
        each = mistake.fingerprint(0)
        return [
            contents_key(value) for value in (*values, replace(each, gradients=dict(each.gradients or {})))
        ]

    first = Draws(1).keeping()
    made = seen(first)
    first.save()
    monkeypatch.setattr(OwnAnswers, "answer", lambda *_, **__: pytest.fail("it asks"))
    monkeypatch.setattr(possible_mistake, "fingerprint", lambda *_: pytest.fail("it asks"))
    assert seen(Draws(1).keeping()) == made


def test_functions_of_ours_are_asked_anew_since_some_remember_their_first_call():
    [exercise] = load_assignment("attention").only(["causal_mask"]).exercises
    draws = Draws(1).keeping()
    draws.known_mistakes(exercise)._alone[0].fingerprint(0)
    draws.save()
    assert not [*WORK.path.glob("*mistakes*")]


def test_another_seed_file_or_code_has_another_digest(tmp_path, monkeypatch, concat_heads):
    monkeypatch.delenv(locations.SOLUTIONS_VARIABLE, raising=False)
    found = {made_from(concat_heads, 1), made_from(concat_heads, 2)}
    found.add(made_from(replace(concat_heads, changed=(("tolerance", "2"),)), 1))
    for folder in ("checks", "solutions"):
        copied = tmp_path / folder
        shutil.copytree(getattr(locations.SHIPPED, folder), copied)
        with (copied / "concat_heads.py").open("a") as file:
            file.write("# changed\n")
        with monkeypatch.context() as changing:
            changing.setattr("graders.locations.SHIPPED", replace(locations.SHIPPED, **{folder: copied}))
            found.add(made_from(concat_heads, 1))
    monkeypatch.setattr(digests, "_code", lambda: "another")
    found.add(made_from(concat_heads, 1))
    assert len(found) == 6


def test_the_digest_is_of_all_code_that_draws_answers_and_compares():
    roots = ("graders.judging.draws", "graders.diagnosis.several_mistakes")
    modules = [name.split(".") for name in modules_below(*roots, others=())]
    outside = {name[1] for name in modules if name[0] == "graders"} - {
        name.removesuffix(".py") for name in CODE
    }
    assert outside <= {"sandbox", "submission", "help"}  # these see students' code, or say something


def test_checks_that_softmark_ships_import_no_other_checks():
    for file in locations.SHIPPED.checks.glob("*.py"):
        imported = (
            node.module for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.ImportFrom)
        )
        assert not any(name and name.startswith("graders.checks") for name in imported), file


@pytest.mark.parametrize("level", IsolationLevel)
def test_nothing_that_code_without_a_wall_could_have_written_is_read(level, concat_heads, monkeypatch):
    monkeypatch.setattr(prepare_run, "FOLDERS", FOLDERS)
    draws = make_draws(BEST_BOX, 1, level)
    draws.for_check(concat_heads, concat_heads.checks[0])
    draws.save()
    file = kept()
    assert len([*file.parent.glob("concat_heads-*")]) == (2 if level.walled else 0)  # draws, choices
    end_run(level)
    assert file.exists() is level.walled


WRONG = """
import torch
def concat_heads(x):
    B, H, S, D = x.shape
    return x.reshape(B, S, H * D)

class FeedForward(torch.nn.Module):
    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__()
        self.linear1 = torch.nn.Linear(embed_dim, ff_dim or 4 * embed_dim)
        self.linear2 = torch.nn.Linear(ff_dim or 4 * embed_dim, embed_dim)
    def forward(self, x):
        return self.linear2(self.linear1(x))
"""


def test_results_are_the_same_with_an_empty_a_full_and_a_damaged_store(tmp_path, cache, open_box):
    assignment = load_assignment("attention").only(["concat_heads", "feed_forward"])
    (path := tmp_path / "answer.py").write_text(WRONG)

    def graded(draws: Draws) -> str:
        result = Grader(assignment, draws, open_box).grade(path, "answer")
        return to_json(replace(result, graded_at=""))

    plain, empty, full = graded(Draws(1)), graded(Draws(1).keeping()), graded(Draws(1).keeping())
    for file in (cache / "work").glob("*-*"):
        file.write_bytes(file.read_bytes()[:-1000])
    damaged = graded(Draws(1).keeping())
    assert plain == empty == full == damaged
    assert '"failed"' in plain
