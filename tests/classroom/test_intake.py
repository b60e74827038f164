"""Downloads of every platform: students, times, and files that belong to nobody."""

import os
import runpy
import stat
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graders.classroom.class_record import ClassRecord, Student, from_json, to_json
from graders.classroom.due_dates import DueDates
from graders.classroom.find_student import Identity, Roster
from graders.classroom.intake import unpack
from graders.classroom.intake.download import Download, DownloadedSubmission
from graders.classroom.intake.git import committed_at
from graders.classroom.intake.match_students import match_students
from graders.classroom.intake.roster import parse_roster
from graders.classroom.intake.roster import read as read_roster
from graders.classroom.intake.roster_columns import BadRoster
from graders.classroom.intake.take import STAGE, Intake, take
from graders.classroom.intake.timestamps import parse_time
from graders.classroom.intake.unpack import NotUnpacked
from graders.course.late_policy import LatePolicy
from graders.submission.files import tidy_name
from graders.submission.read import read
from tests.support.downloads import (
    CANVAS,
    CODE,
    FEUILLE,
    GRADEBOOK,
    MOODLE,
    WORKSHEET,
    checkout,
    classroom50,
    packed,
    unpacked,
)

HOSTILE = Path(__file__).parents[1] / "hostile"
PARIS = timezone(timedelta(hours=1))


def take_in(
    what: Path, roster: str | None = None, look: Callable[[Intake], object] = lambda i: i.class_record
):
    """What `look` returns for a class while its files exist; by default its record."""
    path = None
    if roster is not None:
        path = what.parent / "roster.csv"
        path.write_bytes(roster.encode())
    with take(what, "attention", 20, what.parent / "out", path, PARIS) as intake:
        return look(intake)


def files_of(intake: Intake) -> dict[str, list[str]]:
    """The file names of each submission that has code."""
    names_by_id = {}
    for entry in intake.entries:
        if any(path.suffix == ".py" for path in [entry.path, *entry.path.rglob("*")]):
            submission = read(entry.path)
            names_by_id[entry.id] = sorted(
                [*(file.name for file in submission.files), *submission.other_files]
            )
    return names_by_id


def joined(class_record: ClassRecord) -> dict[str, tuple[str, ...]]:
    return {hand_in.id: hand_in.students for hand_in in class_record.hand_ins}


@pytest.mark.parametrize("make", [unpacked, packed], ids=["unpacked", "zip"])
def test_moodles_download_gives_each_participant_their_files(tmp_path: Path, make):
    what = make(tmp_path / "TP-1 (2).zip", MOODLE)
    assert take_in(what, look=files_of) == {
        "Alice Martin_11": ["data/table.py", "rendu.py"],
        "Bob Roy_12": ["tp.py"],
        "Élise d_Été-Noël_13": ["été.py"],
    }
    class_record = take_in(what)
    assert class_record.layout == "moodle"
    assert [(h.name, h.number) for h in class_record.hand_ins][2] == ("Élise d'Été-Noël", "13")
    [online] = class_record.unmatched
    assert (online.what, "typed online" in online.why) == ("Bob Roy_12_assignsubmission_onlinetext_", True)
    assert not (tmp_path / "out" / STAGE).exists()


def test_moodles_files_without_folders_are_brought_together(tmp_path: Path):
    files = {
        "Alice Martin_11_assignsubmission_file_rendu.py": CODE,
        "Alice Martin_11_assignsubmission_file_a_9_assignsubmission_file_b.py": CODE,
        "Default group_assignsubmission_file_tp.py": CODE,
        "Participant_12_assignsubmission_onlinetext_onlinetext.html": "<p>typed</p>",
        "readme.txt": "",
    }
    what = packed(tmp_path / "x.zip", files)
    assert take_in(what, look=files_of) == {
        "Alice Martin_11": ["a_9_assignsubmission_file_b.py", "rendu.py"],
        "Default group": ["tp.py"],
    }
    class_record = take_in(what)
    assert [h.id for h in class_record.hand_ins] == ["Alice Martin_11", "Default group", "Participant_12"]
    assert [u.what for u in class_record.unmatched] == ["readme.txt"]


@pytest.mark.parametrize("make", [unpacked, packed], ids=["unpacked", "zip"])
def test_canvass_download_gives_each_student_their_latest_files(tmp_path: Path, make):
    what = make(tmp_path / "submissions.zip", CANVAS)
    assert take_in(what, look=files_of) == {
        "martinalice_101": ["notes.txt", "rendu.py"],
        "roybob_102": ["tp-1.py"],
        "etenoelelise_103": ["part-1.py", "part-2.py"],
    }
    class_record = take_in(what, GRADEBOOK)
    assert joined(class_record) == {
        "martinalice_101": ("s101",),
        "roybob_102": ("s102",),
        "etenoelelise_103": ("s103",),
        "typedtom_104": (),
    }
    assert [h.id for h in class_record.hand_ins if h.late] == ["roybob_102"]
    assert [u.what for u in class_record.unmatched] == [
        "roybob_LATE_102_9003_tp.py",
        "typedtom_104_text.html",
    ]
    assert [s.id for s in class_record.students] == ["s101", "s102", "s103", "s105"]


def test_two_folders_of_one_participant_are_both_graded_and_none_is_chosen(tmp_path: Path):
    names = ("Zoe Roy_7_assignsubmission_file", "Zoe Roy_7_assignsubmission_file_")
    unpacked(tmp_path / "in", {f"{name}/a.py": CODE for name in names})
    roster = "id,name,Identifier\nz,Zoe Roy,Participant 7\n"
    class_record = take_in(tmp_path / "in", roster)
    assert joined(class_record) == {"Zoe Roy_7": (), "Zoe Roy_7 (2)": ()}
    assert "no time says which is the latest" in class_record.unmatched[-1].why


def test_canvass_hidden_names_are_kept_apart(tmp_path: Path):
    files = {"anon_Ab3xY_9001_a.py": CODE, "LATE_anon_Zz1qQ_9002_a.py": CODE, "anon_Ab3xY_9003_b.py": CODE}
    what = packed(tmp_path / "x.zip", files)
    assert take_in(what, look=files_of) == {"anon_Ab3xY": ["a.py", "b.py"], "anon_Zz1qQ": ["a.py"]}
    assert {h.id: h.late for h in take_in(what).hand_ins} == {"anon_Ab3xY": False, "anon_Zz1qQ": True}


@pytest.mark.parametrize("is_packed", [False, True], ids=["loose", "packed"])
@pytest.mark.programs
def test_a_repository_has_its_usernames_student_and_its_commits_time(tmp_path: Path, is_packed: bool):
    for name, at in (("al-x", "2026-11-20T10:00:00+0100"), ("al-y", "2026-11-21T10:00:00+0000")):
        checkout(tmp_path / "in" / f"nlp50-attention-{name}", at, is_packed)
    unpacked(tmp_path / "in", {"extra/answers.py": CODE, "notes.txt": ""})
    roster = "username,first_name,last_name,email,section,github_id\nal-x,Al,X,al@x.example,A,1\ny,Y,Y,,A,2\n"
    class_record = take_in(tmp_path / "in", roster)
    assert class_record.layout == "classroom"
    assert joined(class_record) == {"al-x": ("al-x",), "al-y": ("y",), "extra": ()}
    assert [h.at and h.at.isoformat() for h in class_record.hand_ins] == [
        None,
        "2026-11-20T10:00:00+01:00",
        "2026-11-21T10:00:00+00:00",
    ]
    assert [u.what for u in class_record.unmatched] == ["notes.txt", "extra"]
    assert take_in(tmp_path / "in", look=files_of)["al-x"] == ["answers.py"]


@pytest.mark.programs
def test_the_later_of_commit_and_classroom50s_result_counts(tmp_path: Path):
    folder = checkout(tmp_path / "in" / "c-a-zoe", "2026-11-20T10:00:00+0100")
    for at, expected in (("2026-11-20T11:00:00Z", 11), ("2026-11-19T11:00:00Z", 9)):
        (folder / "result.json").write_text(classroom50(at), encoding="utf-8")
        [hand_in] = take_in(tmp_path / "in").hand_ins
        assert hand_in.at is not None
        assert hand_in.at.astimezone(UTC).hour == expected


@pytest.mark.programs
def test_nothing_in_a_repository_is_run(tmp_path: Path):
    folder = checkout(tmp_path / "a-b", "2026-11-20T10:00:00+0100", packed=True)
    trap = f"touch {tmp_path}/ran; true"
    settings_ = "".join(
        f"[{section}]\n\t{key} = {trap}\n"
        for section, key in [
            ("core", "fsmonitor"),
            ("core", "pager"),
            ("gpg", "program"),
            ("core", "sshCommand"),
        ]
    )
    with (folder / ".git/config").open("a", encoding="utf-8") as file:
        file.write(f"{settings_}[log]\n\tshowSignature = true\n[core]\n\thooksPath = {tmp_path}\n")
        file.write(f'[remote "origin"]\n\turl = ext::sh -c "{trap}"\n\tpromisor = true\n')
    assert committed_at(folder) is not None
    (folder / ".git/HEAD").write_text("0" * 39 + "1\n", encoding="ascii")  # an object that is to be fetched
    assert committed_at(folder) is None
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "head",
    ["", "ref: refs/heads/../../../x", "ref: /etc/passwd", "ref: refs/heads/none", "x" * 5000, "0" * 40],
    ids=["empty", "climbs", "absolute", "missing", "long", "no object"],
)
@pytest.mark.programs
def test_a_broken_repository_has_no_time(tmp_path: Path, head: str):
    folder = checkout(tmp_path / "a-b", "2026-11-20T10:00:00+0100")
    (folder / ".git/HEAD").write_text(head, encoding="ascii")
    assert committed_at(folder) is None


def test_nbgraders_folders_have_the_time_of_their_stamp(tmp_path: Path):
    course = unpacked(
        tmp_path / "course",
        {
            "submitted/alice/attention/a.py": CODE,
            "submitted/alice/attention/timestamp.txt": "2026-11-20 14:58:23.948203 America/Los_Angeles\n",
            "submitted/alice/ps0/a.py": CODE,
            "submitted/bob/attention/a.py": CODE,
            "submitted/carl/ps0/a.py": CODE,
            "submitted/stray.txt": "",
            "autograded/alice/attention/a.py": CODE,
            "gradebook.db": "",
        },
    )
    for what in (course, course / "submitted"):
        class_record = take_in(what)
        assert class_record.layout == "nbgrader"
        assert [(h.id, h.at and h.at.isoformat()) for h in class_record.hand_ins] == [
            ("alice", "2026-11-20T14:58:23.948203-08:00"),
            ("bob", None),
        ]
        beside = {"submitted/stray.txt", "submitted/alice/ps0", "submitted/carl/ps0"}
        more = {"autograded", "gradebook.db"} if what == course else set()
        assert {u.what for u in class_record.unmatched} == beside | more


def test_nbgraders_only_assignment_need_not_have_softmarks_name(tmp_path: Path):
    unpacked(tmp_path / "c", {"submitted/alice/ps1/a.py": CODE, "submitted/bob/ps1/a.py": CODE})
    assert [h.id for h in take_in(tmp_path / "c").hand_ins] == ["alice", "bob"]


@pytest.mark.parametrize(
    ("files", "ids"),
    [
        ({"class/alice.py": CODE, "class/bob.ipynb": "{}"}, ["alice", "bob"]),
        ({"work/alice/a.py": CODE, "work/bob/a.py": CODE}, ["alice", "bob"]),
        ({"alice/a.py": CODE}, ["alice"]),
        ({"alice.py": CODE, "__MACOSX/x": ""}, ["alice"]),
        ({f"wrapped/{name}": text for name, text in MOODLE.items()}, ["Alice Martin_11", "Bob Roy_12"]),
    ],
    ids=["as the zip", "students within", "one student", "files", "moodle within"],
)
def test_a_folder_around_all_is_looked_into(tmp_path: Path, files: dict[str, str], ids: list[str]):
    assert [h.id for h in take_in(packed(tmp_path / "class.zip", files)).hand_ins][:2] == ids


@pytest.mark.parametrize("sheet", [WORKSHEET, FEUILLE], ids=["english", "french"])
def test_moodles_worksheet_is_a_roster_with_times(tmp_path: Path, sheet: str):
    class_record = take_in(packed(tmp_path / "x.zip", MOODLE), sheet)
    assert joined(class_record) == {
        "Alice Martin_11": ("alice@uni.example",),
        "Bob Roy_12": ("bob@uni.example",),
        "Élise d_Été-Noël_13": ("elise@uni.example",),
    }
    assert [h.at and h.at.isoformat() for h in class_record.hand_ins] == [
        "2026-11-20T23:58:00+01:00",
        "2026-11-22T09:00:00+01:00",
        "2026-11-20T08:00:00+01:00",
    ]
    assert {s.number for s in class_record.students} == {"11", "12", "13", "14"}


def test_a_worksheet_of_another_assignment_joins_by_name_alone(tmp_path: Path):
    sheet = "Identifier,Full name\nParticipant 11,Bob Roy\nParticipant 90,Alice Martin\n"
    class_record = take_in(packed(tmp_path / "x.zip", MOODLE), sheet)
    assert joined(class_record)["Bob Roy_12"] == ("11",)
    assert joined(class_record)["Alice Martin_11"] == ("90",)
    [stranger] = [u for u in class_record.unmatched if u.what.startswith("Élise")]
    assert "nobody in the roster is Élise d'Été-Noël" in stranger.why


def test_a_team_is_joined_with_all_its_students(tmp_path: Path):
    files = {"Blue team_11_assignsubmission_file_/a.py": CODE}
    sheet = "Identifier,Full name,Group\n" + "".join(
        f"Participant {n},{name},{team}\n"
        for n, name, team in [
            (11, "Alice Martin", "Red team"),
            (12, "Bob Roy", "Blue team"),
            (13, "Cy", "Blue team"),
        ]
    )
    assert joined(take_in(packed(tmp_path / "x.zip", files), sheet)) == {"Blue team_11": ("12", "13")}


def test_two_participants_of_one_name_are_not_taken_for_one(tmp_path: Path):
    files = {f"Alice Martin_{n}_assignsubmission_file_/a.py": CODE for n in (1, 2)}
    class_record = take_in(packed(tmp_path / "x.zip", files), "id,name\na1,Alice Martin\n")
    assert joined(class_record) == {"Alice Martin_1": (), "Alice Martin_2": ()}
    assert "several participants have this name" in class_record.unmatched[-1].why
    class_record = take_in(packed(tmp_path / "x.zip", files), "id,name\na1,Alice Martin\na2,alice martin\n")
    assert joined(class_record) == {"Alice Martin_1": (), "Alice Martin_2": ()}


@pytest.mark.programs
def test_of_several_hand_ins_the_latest_counts_and_the_others_are_listed(tmp_path: Path):
    for name, at in (("a-alice", "2026-11-20T10:00:00+0000"), ("b-alice", "2026-11-21T10:00:00+0000")):
        checkout(tmp_path / "in" / name, at)
    class_record = take_in(tmp_path / "in", "username\nalice\n")
    [counts] = class_record.hand_ins
    assert (counts.source, counts.students) == ("b-alice", ("alice",))
    assert [(e.source, e.instead) for e in class_record.earlier] == [("a-alice", counts.id)]


def test_of_several_hand_ins_the_last_in_time_counts_where_the_course_says_so():
    days = [datetime(2026, 11, day, tzinfo=UTC) for day in (20, 22, 21)]
    submissions = tuple(
        DownloadedSubmission(f"hand-in {day.day}", f"{day.day}.py", Identity(names=("alice",)), at=day)
        for day in days
    )
    roster = parse_roster([["id"], ["alice"]], "roster.csv", UTC)
    for due, counts in ((None, 22), (21, 21), (20, 20), (19, 22)):
        until = DueDates(LatePolicy(datetime(2026, 11, due, 12, tzinfo=UTC)) if due else None)
        for hand_ins in (submissions, submissions[::-1]):
            record = match_students(
                Download("plain", hand_ins), roster, "attention", 20, lambda _, until=until: until
            )
            assert [h.id for h in record.hand_ins] == [f"hand-in {counts}"]
            assert {e.source for e in record.earlier} == {f"{d}.py" for d in (20, 21, 22) if d != counts}


def test_several_hand_ins_without_a_time_are_all_graded_and_listed(tmp_path: Path):
    unpacked(tmp_path / "in", {"alice.py": CODE, "alice/a.py": CODE})
    class_record = take_in(tmp_path / "in", "id\nalice\n")
    assert joined(class_record) == {"alice": (), "alice.py": ()}
    assert "no time says which is the latest" in class_record.unmatched[-1].why


@pytest.mark.parametrize(
    ("who", "expected"),
    [
        (Identity(names=("S1",)), "s1"),
        (Identity(names=("ALICE@x.example",)), "s1"),
        (Identity(names=("nobody", "alice")), "s1"),
        (Identity(name="Alice Martin"), "s1"),
        (Identity(name="martin, ALICE"), "s1"),
        (Identity(name="etenoelelise"), "s2"),
        (Identity(name="Elise Ete-Noel"), "s2"),
        (Identity(name="Noël Élise d’Été"), None),
        (Identity("7", "Participant"), "s3"),
        (Identity("7", "Jean Dupont"), "s3"),
        (Identity("7", "Alice Martin"), "s1"),
        (Identity(name="Jean Dupont"), "s3"),
        (Identity(name="JEAN DUPONT"), None),
        (Identity(name=""), None),
    ],
    ids=repr,
)
def test_a_student_is_found_by_what_is_known_and_never_by_a_guess(who: Identity, expected: str | None):
    roster = Roster(
        [
            Student("s1", "Alice Martin", "alice@x.example", username="alice"),
            Student("s2", "Élise Été-Noël"),
            Student("s3", "Jean Dupont", number="7"),
            Student("s4", "jean dupont", number="8"),
        ]
    )
    match = roster.find(who)
    assert [s.id for s in match.students] == (
        [expected] if expected else [] if who.name != "Jean Dupont" else ["s3"]
    )
    assert bool(match.why) == (not match.students)


def test_a_name_shared_by_two_students_matches_nobody():
    roster = Roster([Student("s1", "Jean Dupont"), Student("s2", "Jean Dupont")])
    assert (
        "may be any of several students in the roster: s1, s2"
        in roster.find(Identity(name="Jean Dupont")).why
    )


@pytest.mark.parametrize(
    ("text", "student"),
    [
        ("id,name\na1,Alice\n", Student("a1", "Alice")),
        ("\ufeffid;name\r\na1;Alice\r\n", Student("a1", "Alice")),
        ("Prénom;Nom;Adresse de courriel\nAlice;Martin;a@x\n", Student("a@x", "Alice Martin", "a@x")),
        ("Numéro d'identification\tNom complet\na1\tAlice\n", Student("a1", "Alice")),
        (
            "username,first_name,last_name,email,section,github_id\nal,A,M,a@x,S,9\n",
            Student("al", "A M", "a@x", "S", "al"),
        ),
        ("Identifiant,Nom complet\nParticipant 12,Alice\n", Student("12", "Alice", number="12")),
        ("Identifiant,Nom\nam12,Alice\n", Student("am12", "Alice")),
    ],
    ids=["plain", "excel", "french", "tabs", "classroom50", "worksheet", "identifiant"],
)
def test_a_rosters_columns_are_found_by_what_they_mean(tmp_path: Path, text: str, student: Student):
    (tmp_path / "r.csv").write_bytes(text.encode())
    assert read_roster(tmp_path / "r.csv", UTC).students == (student,)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_roster_is_read_in_whatever_excel_writes(tmp_path: Path, encoding: str):
    (tmp_path / "r.csv").write_bytes("id;nom\nÉ1;Zoé\n".encode(encoding))
    assert read_roster(tmp_path / "r.csv", UTC).students == (Student("É1", "Zoé"),)


def test_unusable_lines_of_a_roster_are_listed(tmp_path: Path):
    (tmp_path / "r.csv").write_text("id,group\na1,A\n,B\na1,C\n", encoding="utf-8")
    listed = read_roster(tmp_path / "r.csv", UTC)
    assert len(listed.students) == 1
    assert [u.why[:20] for u in listed.unmatched] == ["it has no id and no ", "this id occurs twice"]


@pytest.mark.parametrize("data", [b"", b"\n\n", b"colour,size\nred,1\n", b"\x81\x8d\x00"], ids=repr)
def test_an_invalid_roster_is_refused(tmp_path: Path, data: bytes):
    (tmp_path / "r.csv").write_bytes(data)
    with pytest.raises(BadRoster):
        read_roster(tmp_path / "r.csv", UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-11-20T22:59:00Z", "2026-11-20T22:59:00+00:00"),
        ("2026-11-20 22:59:00", "2026-11-20T22:59:00+01:00"),
        ("2026-11-20 22:59:00 -0800", "2026-11-20T22:59:00-08:00"),
        ("2026-07-20 22:59:00.5 Europe/Paris", "2026-07-20T22:59:00.500000+02:00"),
        ("2026-07-20 22:59 CEST", "2026-07-20T22:59:00+02:00"),
        ("Friday, 20 November 2026, 12:05 AM", "2026-11-20T00:05:00+01:00"),
        ("20 novembre 2026, 00:05", "2026-11-20T00:05:00+01:00"),
        ("2026-11-20 22:59 Nowhere/Land", None),
        ("2026-11-20 22:59 ../../etc/localtime", None),
        ("2026-02-31 10:00", None),
        ("31 février 2026, 10:00", None),
        ("20 Brumaire 2026, 10:00", None),
        ("-", None),
        ("9" * 10_000, None),
    ],
    ids=lambda value: (value or "none")[:30],
)
def test_times_are_read_as_platforms_write_them(text: str, expected: str | None):
    time = parse_time(text, PARIS)
    assert (time.isoformat() if time else None) == expected


@given(st.text(max_size=120))
@pytest.mark.slow
def test_any_text_is_a_time_or_none(text: str):
    time = parse_time(text, UTC)
    assert time is None or isinstance(time, datetime)


def test_no_member_of_a_zip_leaves_its_folder(tmp_path: Path):
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("../up.py", "/up.py", "a/../../up.py", "C:/up.py"):
            archive.writestr(name, "x")
        link = zipfile.ZipInfo("a/link.py")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("a/bomb.py", b" " * 20_000_000)
        archive.writestr("a/x.py", CODE)
        archive.writestr("b/y.py", CODE)
        archive.writestr("b/Y.py", CODE)
    (tmp_path / "into").mkdir()
    left_out = {u.what: u.why for u in unpack.unpack(path, tmp_path / "into")}
    assert set(left_out) == {"../up.py", "/up.py", "a/../../up.py", "C:/up.py", "a/link.py", "a/bomb.py"}
    there = sorted(p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*.py"))
    assert there == ["into/a/x.py", "into/b/Y copy 2.py", "into/b/y.py"]


@pytest.mark.parametrize("attack", sorted((HOSTILE / "archive").glob("*.py")), ids=lambda path: path.stem)
@pytest.mark.slow
def test_a_hostile_archive_given_as_a_class_stays_in_its_folder(tmp_path: Path, attack: Path):
    (tmp_path / "from").mkdir()
    into = tmp_path / "a" / "into"
    into.mkdir(parents=True)
    archive = runpy.run_path(str(attack))["make"](tmp_path / "from")
    before = sorted(tmp_path.rglob("*"))
    try:
        left_out = unpack.unpack(archive, into)
    except NotUnpacked as error:
        assert str(error).startswith(archive.name)
        return
    inside = set(into.rglob("*"))
    assert [path for path in sorted(tmp_path.rglob("*")) if path not in inside] == before
    assert not any(path.is_symlink() for path in inside)
    assert sum(path.stat().st_size for path in inside if path.is_file()) < 400_000_000
    assert all(item.why for item in left_out)


def test_names_that_are_not_text_still_have_an_id(tmp_path: Path):
    for name in (b"\xff\xfe", b"b\xff"):
        unpacked(tmp_path / "in" / os.fsdecode(name), {"a.py": CODE})
    class_record = take_in(tmp_path / "in", "id,name\na1,Alice\n")
    assert [h.id for h in class_record.hand_ins] == ["b_", "__"]
    assert from_json(to_json(class_record).encode().decode()) == class_record


def test_one_students_huge_files_do_not_affect_others(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(unpack, "STUDENT_LIMIT", 1000)
    noise = "".join(chr(33 + i * i % 90) for i in range(900))
    files = {"big/a.txt": noise, "big/b.txt": noise, "small/a.py": CODE}
    class_record = take_in(packed(tmp_path / "x.zip", files))
    assert [h.id for h in class_record.hand_ins] == ["big", "small"]
    [left] = class_record.unmatched
    assert (left.what, "of this student" in left.why) == ("big/b.txt", True)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 broken", CODE.encode()], ids=["empty", "cut", "no zip"])
def test_a_broken_zip_is_said_to_be_one(tmp_path: Path, data: bytes):
    (tmp_path / "x.zip").write_bytes(data)
    with pytest.raises(NotUnpacked, match="download it again"):
        take_in(tmp_path / "x.zip")
    assert not (tmp_path / "out" / STAGE).exists()


def test_names_that_were_not_said_to_be_utf8_are_read_as_it(tmp_path: Path):
    path = packed(tmp_path / "x.zip", {"Zoé_1_assignsubmission_file_/a.py": CODE})
    data = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        assert archive.infolist()[0].flag_bits & 0x800
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.index(signature) + offset
        data = data[:at] + b"\0\0" + data[at + 2 :]
    path.write_bytes(data)
    assert take_in(path).hand_ins[0].name == "Zoé"


def test_files_left_by_a_killed_run_are_removed(tmp_path: Path):
    unpacked(tmp_path / "out" / STAGE / "zip", {"old.py": CODE})
    unpacked(tmp_path / "in", {"alice.py": CODE})
    assert [h.id for h in take_in(tmp_path / "in").hand_ins] == ["alice"]
    assert not (tmp_path / "out" / STAGE).exists()


def test_links_and_hidden_files_are_listed(tmp_path: Path):
    unpacked(tmp_path / "in", {"alice.py": CODE, ".hidden.py": CODE})
    (tmp_path / "in/bob.py").symlink_to("/etc/passwd")
    class_record = take_in(tmp_path / "in")
    assert {u.what for u in class_record.unmatched} == {".hidden.py", "bob.py"}


def test_the_folder_of_results_is_not_a_hand_in(tmp_path: Path):
    unpacked(tmp_path / "in", {"alice.py": CODE, "out/alice/index.html": ""})
    with take(tmp_path / "in", "attention", 20, tmp_path / "in" / "out", None) as intake:
        assert [entry.id for entry in intake.entries] == ["alice"]
        assert intake.class_record.unmatched == ()


@pytest.mark.parametrize("name", ["index.html", "grades.csv", "class.json", "Overrides.CSV"])
def test_no_id_equals_the_name_of_an_output_file(tmp_path: Path, name: str):
    unpacked(tmp_path / "in", {f"{name}/a.py": CODE})
    assert [h.id for h in take_in(tmp_path / "in").hand_ins] == [f"{name}_"]


PARTS = st.text(
    st.characters(exclude_characters="/\x00", exclude_categories=["Cs"]) | st.sampled_from("._-=\u202e é"),
    min_size=1,
    max_size=60,
).filter(lambda part: part not in (".", ".."))
NUMBERS = st.integers(1, 99).map(str)
FORMS = st.one_of(
    st.builds("{}.py".format, PARTS),
    st.builds("{}/{}.py".format, PARTS, PARTS),
    st.builds("{}_{}_assignsubmission_file_/{}.py".format, PARTS, NUMBERS, PARTS),
    st.builds("{}_{}_assignsubmission_file_{}.py".format, PARTS, NUMBERS, PARTS),
    st.builds("{}_{}_{}_{}.py".format, PARTS, NUMBERS, NUMBERS, PARTS),
    st.builds("submitted/{}/attention/{}.py".format, PARTS, PARTS),
    st.builds("{}.txt".format, PARTS),
)


@settings(max_examples=75)
@given(st.lists(FORMS, min_size=1, max_size=8, unique_by=str.casefold))
@pytest.mark.slow
def test_every_file_of_a_download_is_assigned_or_listed(tmp_path_factory, names: list[str]):
    folder = tmp_path_factory.mktemp("class")
    with zipfile.ZipFile(folder / "x.zip", "w") as archive:
        for number, name in enumerate(names):
            archive.writestr(name, f"n{number} = {number}\n")
    with take(folder / "x.zip", "attention", 20, folder / "out", None) as intake:
        ids = [entry.id.casefold() for entry in intake.entries]
        assert len(set(ids)) == len(ids)
        graded = {p.read_bytes() for entry in intake.entries for p in _files(entry.path)}
        listed = {p.read_bytes() for p in _listed(folder / "out" / STAGE / "zip", intake.class_record)}
        for entry in intake.entries:
            (folder / "results" / entry.id).mkdir(parents=True)
    not_unpacked = sum(item.why in UNPACKED_NOT for item in intake.class_record.unmatched)
    assert len(graded | listed) >= len(names) - not_unpacked


UNPACKED_NOT = ("its path leads out of the zip", "its name is another file's or folder's")


def _files(path: Path) -> list[Path]:
    return [p for p in path.rglob("*") if p.is_file()] if path.is_dir() else [path]


def _listed(root: Path, class_record: ClassRecord) -> list[Path]:
    """The files that are listed themselves or lie in a listed folder."""
    names = {item.what for item in class_record.unmatched}
    paths = []
    for path in root.rglob("*"):
        parts = path.relative_to(root).parts
        ends = {"/".join(parts[i:j]) for i in range(len(parts)) for j in range(i + 1, len(parts) + 1)}
        if path.is_file() and names & {tidy_name(end) for end in ends}:
            paths.append(path)
    return paths
