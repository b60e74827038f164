"""Gradescope's export, nbgrader's exchange, assignments with another name, and names as macOS writes them."""

import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graders.classroom.class_record import ClassRecord
from graders.classroom.intake.repository_states import StateRules
from graders.classroom.intake.take import Intake, take
from graders.classroom.intake.unpack import NotUnpacked
from graders.classroom.mark_holders import Names, mark_holders
from graders.course.late_policy import LatePolicy
from graders.submission.read import read
from tests.support.downloads import CODE, GRADESCOPE, INBOUND, MOODLE, packed, unpacked

ROSTER = "id,name,email\n0012,Zoé Absente,zoe@uni.example\n0013,Bob Roy,bob@uni.example\n0007,Alice Martin,\n"


def take_in(
    what: Path,
    roster: str | None = None,
    look: Callable[[Intake], object] = lambda intake: intake.class_record,
    **options: object,
):
    """What `look` returns for a class while its files exist; by default its record."""
    path = None
    if roster is not None:
        path = what.parent / "roster.csv"
        path.write_bytes(roster.encode())
    with take(what, "attention", 20, what.parent / "out", path, **options) as intake:  # type: ignore[arg-type]
        return look(intake)


def joined(record: ClassRecord) -> dict[str, tuple[str, ...]]:
    return {hand_in.id: hand_in.students for hand_in in record.hand_ins}


def sources(intake: Intake) -> dict[str, str]:
    return {entry.id: (entry.path / "a.py").read_text(encoding="utf-8") for entry in intake.entries}


def at(record: ClassRecord) -> dict[str, str]:
    return {h.id: h.at.astimezone(UTC).isoformat() if h.at else "" for h in record.hand_ins}


@pytest.mark.parametrize("make", [unpacked, packed], ids=["unpacked", "zip"])
def test_gradescopes_export_says_who_handed_in_and_when(tmp_path: Path, make) -> None:
    record = take_in(make(tmp_path / "assignment_8046601_export.zip", GRADESCOPE))
    assert record.layout == "gradescope"
    assert joined(record) == {
        "Bob Roy + Zoé Absente": ("0012", "bob@uni.example"),
        "Alice Martin": ("0007",),
        "submission_104": ("submission_104",),
    }
    assert at(record)["Bob Roy + Zoé Absente"] == "2026-11-20T22:10:11.123456+00:00"
    assert at(record)["Alice Martin"] == "2026-11-21T09:30:00+00:00"
    assert [student.name for student in record.students][:2] == ["Zoé Absente", "Bob Roy"]
    assert {u.what: u.why for u in record.unmatched} == {
        "submission_104": "submission_metadata.yml does not say whose it is",
        "submission_103": (
            "nothing was graded: submission_metadata.yml names it, and the export has no such folder"
        ),
    }


def test_a_group_of_gradescope_is_joined_with_each_student_of_the_roster(tmp_path: Path) -> None:
    what = packed(tmp_path / "x.zip", GRADESCOPE)
    assert joined(take_in(what, ROSTER))["Bob Roy + Zoé Absente"] == ("0012", "0013")
    record = take_in(what, ROSTER.replace("0013,Bob Roy,bob@uni.example\n", ""))
    assert joined(record)["Bob Roy + Zoé Absente"] == ("0012",)
    assert any("nobody in the roster is Bob Roy" in u.why for u in record.unmatched)


@pytest.mark.parametrize(
    "name_of_student", ["[Alice", "[" * 9_000, "*no_anchor", "&a [*a]", "!!python/name:os.system ''"]
)
def test_a_table_of_gradescope_that_is_damaged_loses_no_hand_in(tmp_path: Path, name_of_student: str) -> None:
    name = "assignment_8046601_export/submission_metadata.yml"
    broken = GRADESCOPE[name].replace("  - :name: Alice Martin", f"  - :name: {name_of_student}")
    record = take_in(packed(tmp_path / "x.zip", {**GRADESCOPE, name: broken}))
    assert "Bob Roy + Zoé Absente" in joined(record)
    assert {h.source for h in record.hand_ins} == {"submission_101", "submission_102", "submission_104"}


@pytest.mark.parametrize("make", [unpacked, packed], ids=["unpacked", "zip"])
@pytest.mark.parametrize("around", ["inbound", "course101/inbound"])
def test_nbgraders_inbound_takes_the_latest_of_each_student(tmp_path: Path, make, around: str) -> None:
    what = make(tmp_path / "x.zip", {f"{around}/{name}": text for name, text in INBOUND.items()})
    record = take_in(what, named="TP4")
    assert record.layout == "nbgrader"
    assert joined(record) == {"alice": ("alice",), "bob+roy": ("bob+roy",)}
    assert at(record) == {"alice": "2026-11-20T10:00:00+00:00", "bob+roy": "2026-11-21T10:00:00+00:00"}
    assert [(e.at and e.at.day, e.instead) for e in record.earlier] == [(19, "alice")]
    assert take_in(what, named="TP4", look=sources)["alice"] == CODE
    [other] = record.unmatched
    assert "its assignment is 'TP3', and not 'TP4': --named 'TP3' takes it" in other.why


def test_the_last_in_time_of_nbgraders_inbound_counts_where_the_course_says_so(tmp_path: Path) -> None:
    what = unpacked(tmp_path / "inbound", INBOUND)
    due = LatePolicy(datetime(2026, 11, 19, 23, tzinfo=UTC))
    record = take_in(what, named="tp4", states=StateRules(None, due, only_in_time=True))
    assert [h.at.day for h in record.hand_ins if h.students == ("alice",) and h.at] == [19]


def test_no_assignment_is_graded_in_the_place_of_one_that_was_named(tmp_path: Path) -> None:
    unpacked(tmp_path / "c", {"submitted/alice/ps1/a.py": CODE, "submitted/bob/ps1/a.py": CODE})
    assert [h.id for h in take_in(tmp_path / "c").hand_ins] == ["alice", "bob"]
    record = take_in(tmp_path / "c", named="ps2")
    assert not record.hand_ins
    assert "its assignment is 'ps1', and not 'ps2'" in record.unmatched[0].why
    unpacked(tmp_path / "c", {"submitted/alice/ps2/a.py": CODE})
    assert [h.id for h in take_in(tmp_path / "c", named="PS2").hand_ins] == ["alice"]


def test_a_file_of_a_plain_folder_is_a_hand_in_whatever_a_browser_added(tmp_path: Path) -> None:
    names = [
        "alice.ipynb.txt",
        "bob.tar.gz",
        "chloe.py.txt",
        "david.tgz",
        "emma.zip",
        "notes.txt",
        "data.json",
    ]
    record = take_in(unpacked(tmp_path / "in", dict.fromkeys(names, "x")))
    assert list(joined(record)) == ["alice", "bob", "chloe", "david", "emma"]
    assert [u.what for u in record.unmatched] == ["data.json", "notes.txt"]


def test_a_class_in_a_tar_is_told_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "class.tar.gz").write_bytes(b"\x1f\x8b\x08")
    with pytest.raises(NotUnpacked, match="is no zip: unpack it"):
        take_in(tmp_path / "class.tar.gz")


def test_one_student_is_one_student_however_accents_are_written(tmp_path: Path) -> None:
    apart = {unicodedata.normalize("NFD", name): text for name, text in MOODLE.items()}
    assert set(apart) != set(MOODLE)
    roster = unicodedata.normalize("NFC", "id,name\né13,Élise d'Été-Noël\n")
    records = [
        take_in(packed(tmp_path / f"{i}.zip", files), unicodedata.normalize(form, roster))
        for i, files in enumerate((MOODLE, apart))
        for form in ("NFC", "NFD")
    ]
    assert records[0].hand_ins[-1].students == ("é13",)
    assert all(record == records[0] for record in records)
    names = Names(mark_holders({}, records[0]))
    for text in ("É13", "Élise d_Été-Noël_13"):
        for form in ("NFC", "NFD"):
            [meant] = names.find(unicodedata.normalize(form, text))
            assert meant.holder.id == "Élise d_Été-Noël_13"


def test_two_folders_of_one_name_in_both_ways_to_write_it_are_one_participants(tmp_path: Path) -> None:
    folders = [unicodedata.normalize(form, "Élise Roy_13_assignsubmission_file_") for form in ("NFC", "NFD")]
    record = take_in(
        packed(tmp_path / "x.zip", {f"{f}/{i}.py": CODE for i, f in enumerate(folders)}),
        "id,name\n1,Élise Roy\n",
    )
    assert "no time says which is the latest" in record.unmatched[-1].why


def test_a_submission_of_gradescope_is_read(tmp_path: Path) -> None:
    def names(intake: Intake) -> list[str]:
        [path] = [entry.path for entry in intake.entries if entry.id.startswith("Bob")]
        return [file.name for file in read(path).files]

    assert take_in(packed(tmp_path / "x.zip", GRADESCOPE), look=names) == ["rendu.py"]


def test_the_name_of_a_repository_begins_with_what_the_platform_calls_the_assignment(tmp_path: Path) -> None:
    unpacked(tmp_path / "in", {"nlp-2026-tp4-alice-roy/a.py": CODE, "nlp-2026-tp4-alice-roy/.git/HEAD": ""})
    assert list(joined(take_in(tmp_path / "in"))) == ["nlp-2026-tp4-alice-roy"]
    assert list(joined(take_in(tmp_path / "in", named="TP4"))) == ["alice-roy"]
    assert joined(take_in(tmp_path / "in", "username\nalice-roy\n", named="TP4"))["alice-roy"] == (
        "alice-roy",
    )
