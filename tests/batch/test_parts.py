"""A class that is graded in parts on several machines is the same class, and parts of two runs never mix."""

import json
import os
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from graders.batch import part_record
from graders.batch.part_record import BadPart, Part, digest_of, number_of, parse_part
from graders.cli import gather_parts
from graders.cli.main import main
from graders.judging import score
from tests.batch.conftest import ask_for_one_exercise, grade_without_box

pytestmark = [pytest.mark.programs, pytest.mark.slow]  # each run forks processes
WORDS = ("right", "wrong", "hangs", "nothing")
SEED = ("--seed", "5")


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)


def grade(root: Path, out: str, *more: object) -> Result:
    command = ("grade", root / "in", "--assignment", "attention", "--out", root / out)
    return run(*command, "--unsafe", "--jobs", 1, *more)


def gather(root: Path, *more: object, out: str = "all") -> Result:
    return run("gather", *sorted(root.glob("part*")), "--out", root / out, "--jobs", 1, *more)


@pytest.fixture(autouse=True)
def one_exercise(monkeypatch: pytest.MonkeyPatch) -> None:
    ask_for_one_exercise(monkeypatch)


@pytest.fixture(scope="module")
def graded(tmp_path_factory) -> Path:
    """A class of twelve in `in/`, graded at once in `whole/`, and in three parts."""
    root = tmp_path_factory.mktemp("parts")
    (root / "in").mkdir()
    for number in range(12):
        text = f"# {WORDS[number % 4]}\n# {number}\n"
        (root / f"in/s{number:02}.py").write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        grade_without_box(patch)
        fixed = "2026-11-20T10:00:00Z"
        whole = score.submission_result
        patch.setattr(score, "submission_result", lambda *a: replace(whole(*a), graded_at=fixed))
        patch.setattr("graders.batch.grade_all.time.monotonic", lambda: 0.0)
        for part in (1, 2, 3):
            done = grade(root, f"part{part}", "--part", f"{part}/3", *SEED)
            assert done.exit_code in (0, 1), done.output
        assert grade(root, "whole", *SEED).exit_code == 1
    return root


@pytest.fixture
def parts(graded: Path, tmp_path: Path) -> Path:
    """A copy of it, for a test that changes something."""
    return Path(shutil.copytree(graded, tmp_path / "copy", symlinks=True))


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def change_record(folder: Path, change: Callable[[part_record.PartRecord], part_record.PartRecord]) -> None:
    record = part_record.from_json((folder / part_record.FILE).read_text(encoding="utf-8"))
    part_record.write_part(folder, change(record))


def change_facts(folder: Path, **facts: str) -> None:
    def change(record: part_record.PartRecord) -> part_record.PartRecord:
        changed = record.facts | {name.replace("__", " "): value for name, value in facts.items()}
        return replace(record, facts=changed, run=digest_of(changed))

    change_record(folder, change)


def said(done: Result) -> str:
    return " ".join(done.output.replace("│", " ").split())


def refused(done: Result) -> str:
    assert done.exit_code == 2, done.output
    return said(done)


def test_each_submission_belongs_to_one_part_and_a_new_student_moves_nobody():
    ids = [f"student {number}" for number in range(3_000)]
    counts = Counter(number_of(name, 20) for name in ids)
    assert set(counts) == set(range(1, 21))
    assert min(counts.values()) > 100
    assert max(counts.values()) < 200
    # As it was when parts were introduced: parts of one class may be graded by several versions' machines.
    assert [number_of(name, 20) for name in ("alice", "bob", "carol", "Đặng")] == [8, 11, 3, 12]
    assert [Part(number, 3).has("alice") for number in (1, 2, 3)].count(True) == 1


@pytest.mark.parametrize("text", ["0/3", "4/3", "3", "3/", "a/b", "1/20000", "-1/3"])
def test_what_is_no_part_is_refused(text: str):
    with pytest.raises(BadPart, match="write 3/20 for the third of 20"):
        parse_part(text)


def test_gathered_parts_are_byte_for_byte_what_one_run_writes(graded: Path):
    done = gather(graded, out="gathered")
    assert done.exit_code == 1
    assert "12 submissions of 3 parts" in done.output
    assert tree(graded / "gathered") == tree(graded / "whole")
    for part in (1, 2, 3):
        assert not (graded / f"part{part}/index.html").exists()
        assert not (graded / f"part{part}/grades.csv").exists()


def test_gathered_results_take_no_disk_twice_and_outlive_their_parts(parts: Path):
    assert gather(parts).exit_code == 1
    before = tree(parts / "all")
    for name in ("result.json", "index.html"):
        [original] = parts.glob(f"part*/s00/{name}")
        assert (parts / "all/s00" / name).samefile(original)
    with pytest.MonkeyPatch.context() as patch:
        grade_without_box(patch)
        for part in (1, 2, 3):
            grade(parts, f"part{part}", "--part", f"{part}/3", *SEED, "--force")
    assert tree(parts / "all") == before
    for part in parts.glob("part*"):
        shutil.rmtree(part)
    assert tree(parts / "all") == before


def test_the_folder_of_gathered_results_goes_on_as_if_one_run_had_made_it(parts: Path):
    gather(parts)
    with pytest.MonkeyPatch.context() as patch:
        grade_without_box(patch)
        done = grade(parts, "all")
    assert "graded: 0" in done.output
    assert "cached: 12" in done.output


def test_a_part_names_no_course_whose_checks_would_run_here(parts: Path):
    for part in parts.glob("part*"):
        evil = parts / "evil" / part.name  # it may lie elsewhere on each machine
        (evil / "checks").mkdir(parents=True)
        (evil / "assignments").mkdir()
        text = f'[course]\nfolder = "{evil}"\ntitle = "x"\nextends = "softmark"\n'
        (part / "course.toml").write_text(text, encoding="utf-8")
    told = refused(gather(parts))
    assert "which has checks of its own: name the course with --course" in told
    assert not (parts / "all/course.toml").exists()


def test_without_a_seed_parts_would_get_other_draws_and_are_refused(graded: Path, tmp_path: Path):
    text = refused(grade(graded, "none", "--part", "1/3"))
    assert "give the same secret number to all of them, with --seed-file FILE or --seed" in text
    (tmp_path / "seed.txt").write_text("secret", encoding="ascii")
    text = refused(grade(graded, "none", "--part", "1/3", "--seed-file", tmp_path / "seed.txt"))
    assert "holds no seed: a number alone is needed" in text
    assert not (graded / "none").exists()


def test_the_seed_of_a_file_is_that_number_and_stands_in_no_record_but_seed_txt(parts: Path):
    (parts / "seed").write_text("5\n", encoding="ascii")
    with pytest.MonkeyPatch.context() as patch:
        grade_without_box(patch)
        done = grade(parts, "part1", "--part", "1/3", "--seed-file", parts / "seed")
    assert "graded: 0" in done.output
    record = json.loads((parts / "part1/part.json").read_text(encoding="utf-8"))
    assert record["facts"]["seed"] == part_record.digest_of_seed(5)
    assert set(record) == {"schema", "part", "run", "facts", "keys"}
    assert "seed 5" not in json.dumps(record)


@pytest.mark.parametrize(
    ("more", "out", "says"),
    [
        (("--part", "1/3", *SEED, "--only", "s01"), "new", "--part grades its whole part"),
        (("--part", "1/3", *SEED), "part2", "holds part 2/3 of a class"),
        (("--part", "1/3", *SEED), "whole", "holds the results of a whole class"),
        (SEED, "part2", "holds part 2/3 of a class"),
        (("--part", "1/3", *SEED, "--seed-file", __file__), "new", "holds no seed"),
    ],
    ids=["only", "other part", "whole class", "no part", "two seeds"],
)
def test_a_folder_keeps_to_one_part_or_one_class(graded: Path, more: tuple[str, ...], out: str, says: str):
    assert says in refused(grade(graded, out, *more))


@pytest.mark.parametrize("command", [("report",), ("export", "junit")], ids=["report", "export"])
def test_a_part_alone_has_no_pages_and_no_marks(graded: Path, command: tuple[str, ...]):
    name, *more = command
    assert "Put all parts together first" in refused(run(name, graded / "part1", *more))


def test_a_missing_part_is_named_and_left_out_only_if_told(parts: Path):
    shutil.rmtree(parts / "part2")
    assert "1 part is missing: 2/3" in refused(gather(parts))
    assert not (parts / "all").exists()
    done = gather(parts, "--incomplete")
    left = sum(number_of(f"s{number:02}", 3) != 2 for number in range(12))
    assert f"{left} submissions of 3 parts" in done.output
    assert "1 part is missing: 2/3" in done.output
    assert "Not graded yet" in (parts / "all/index.html").read_text(encoding="utf-8")


def test_a_part_that_was_stopped_names_who_has_no_result_and_the_whole_is_right_afterwards(parts: Path):
    part = number_of("s03", 3)
    result = parts / f"part{part}/s03/result.json"
    data = result.read_bytes()
    result.unlink()
    assert f"part{part}: 1 submission has no result: s03" in refused(gather(parts))
    gather(parts, "--incomplete")
    result.write_bytes(data)
    gather(parts)
    assert tree(parts / "all") == tree(parts / "whole")


def test_a_gathering_that_was_killed_is_right_when_it_is_run_again(parts: Path):
    honest = gather_parts.TakeResult.__call__

    def killed(self: gather_parts.TakeResult, wanted: gather_parts.PartResult):
        if wanted.id == "s07":
            (self.out / "s07").mkdir()
            (self.out / "s07/.result.json.1.part").write_bytes(b"{")
            raise KeyboardInterrupt
        return honest(self, wanted)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gather_parts.TakeResult, "__call__", killed)
        assert gather(parts).exit_code == 1
    assert not (parts / "all/index.html").exists()
    gather(parts)
    assert tree(parts / "all") == tree(parts / "whole")


@pytest.mark.parametrize(
    ("facts", "says"),
    [
        ({"package__torch": "2.11"}, "torch: "),
        ({"python": "3.12.1"}, "Python: "),
        ({"level": "boxed"}, "the box (sandbox): open in {one}, boxed in {other}"),
        ({"limit__call_s": "9.0"}, "the limit call_s: 3.0 in {one}, 9.0 in {other}"),
        ({"language": "fr"}, "the language: en in {one}, fr in {other}"),
        (
            {"file__graders/checks/concat_heads.py": "00"},
            "the file graders/checks/concat_heads.py (its digest): ",
        ),
        ({"package__new": "1"}, "new: absent in {one}, 1 in {other}"),
    ],
    ids=["torch", "python", "level", "limit", "language", "file", "package"],
)
def test_parts_of_two_runs_are_refused_by_what_differs(parts: Path, facts: dict[str, str], says: str):
    change_facts(parts / "part3", **facts)
    text = refused(gather(parts))
    assert says.format(one=parts / "part1", other=parts / "part3") in text
    assert not (parts / "all").exists()


def test_parts_with_two_seeds_are_refused_without_telling_them(parts: Path):
    (parts / "part3/seed.txt").write_text("123454321\n", encoding="ascii")
    assert "does not fit together" in refused(gather(parts))
    change_facts(parts / "part3", seed=part_record.digest_of_seed(123454321))
    text = refused(gather(parts))
    assert "the seed (its digest): " in text
    assert "123454321" not in text


def test_the_same_part_twice_and_parts_of_another_split_are_refused(parts: Path):
    shutil.copytree(parts / "part2", parts / "part4")
    assert "part 2/3 is there twice" in refused(gather(parts))
    change_record(parts / "part4", lambda record: replace(record, part=Part(2, 9)))
    assert "the class was split into other parts" in refused(gather(parts))


def test_a_part_that_saw_another_class_is_refused_and_names_who_is_only_there(parts: Path):
    path = parts / "part3/class.json"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"s11"', '"zoe"'), encoding="utf-8")
    text = refused(gather(parts))
    assert f"only {parts / 'part1'} has s11" in text
    assert f"only {parts / 'part3'} has zoe" in text


def test_a_result_of_an_earlier_run_or_of_another_student_is_not_taken(parts: Path):
    mine, other = (parts / f"part{number_of(name, 3)}" / name / "result.json" for name in ("s01", "s02"))
    mine.write_bytes(other.read_bytes())
    done = gather(parts)
    assert done.exit_code == 3
    assert "its id is not the name of its folder" in done.output
    other.write_text(other.read_text(encoding="utf-8").replace('"key": "', '"key": "0'), encoding="utf-8")
    done = gather(parts, "--incomplete")
    assert "its result is of an earlier run: grade the part again" in done.output
    assert "10 submissions of 3 parts" in done.output


def test_nothing_that_a_part_links_to_is_read(parts: Path, tmp_path: Path):
    secret = tmp_path / "secret"
    shutil.copytree(parts / f"part{number_of('s01', 3)}/s01", secret)
    place = parts / f"part{number_of('s01', 3)}/s01"
    shutil.rmtree(place)
    place.symlink_to(secret)
    done = gather(parts)
    assert done.exit_code == 3
    assert f"{place}: " in done.output
    place.unlink()
    place.mkdir()
    (place / "result.json").symlink_to(secret / "result.json")
    assert gather(parts).exit_code == 3
    (parts / "part1/seed.txt").unlink()
    (parts / "part1/seed.txt").symlink_to(parts / "part2/seed.txt")
    assert "cannot be read" in refused(gather(parts))


def test_a_pipe_in_a_part_does_not_stop_the_gathering(parts: Path):
    place = parts / f"part{number_of('s01', 3)}/s01"
    (place / "index.html").unlink()
    os.mkfifo(place / "index.html")
    gather(parts)
    assert tree(parts / "all") == tree(parts / "whole")


@pytest.mark.parametrize("id_", ["../../etc", "a/b", ".", "seed.txt", "a\\b", "x" * 300])
def test_an_id_that_leads_elsewhere_is_refused(parts: Path, id_: str):
    for number in (1, 2, 3):
        path = parts / f"part{number}/class.json"
        path.write_text(path.read_text(encoding="utf-8").replace('"s11"', json.dumps(id_)), encoding="utf-8")
    assert "is no id that softmark gives" in refused(gather(parts))


def test_a_file_that_is_too_large_is_not_read(parts: Path):
    with (parts / f"part{number_of('s01', 3)}/s01/result.json").open("r+b") as file:
        file.truncate(gather_parts.RESULT_LIMIT + 1)
    done = gather(parts)
    assert done.exit_code == 3
    assert "it is larger than 32 MB" in done.output


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"</title>", b'</title><meta http-equiv="refresh" content="0;url=https://example.org">'),
        (b"default-src 'none'", b"default-src *"),
        (b"<meta http-equiv", b"<script>alert(1)</script><meta http-equiv"),
        (b"</title>", b'</title><BASE href="https://example.org">'),
        (b"</html>\n", b""),
    ],
    ids=["refresh", "policy", "script", "base", "cut"],
)
def test_a_page_that_could_act_is_made_anew(parts: Path, old: bytes, new: bytes):
    page = parts / f"part{number_of('s01', 3)}/s01/index.html"
    data = page.read_bytes()
    assert old in data
    page.write_bytes(data.replace(old, new, 1))
    gather(parts)
    assert tree(parts / "all") == tree(parts / "whole")


def test_a_page_that_is_right_is_copied_and_not_made_anew(parts: Path, monkeypatch):
    rendered = []
    monkeypatch.setattr(
        "reports.publish.student_page.render", lambda result, *_: rendered.append(result) or ""
    )
    gather(parts)
    assert rendered == []
    (parts / "all/overrides.csv").write_text("id,exercise,points,comment\ns01,,1,seen\n", encoding="utf-8")
    gather(parts)
    assert [result.submission.id for result in rendered] == ["s01"]
