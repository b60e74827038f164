"""Each submission gets a folder of its own for its results, under a name that every platform can have."""

from pathlib import Path

import pytest

from graders.batch.run_seed import NAME as SEED
from graders.classroom.find_student import Identity
from graders.classroom.intake.download import DownloadedSubmission
from graders.classroom.intake.match_students import make_ids
from graders.safe_text import safe_id
from tests.support.submissions import entries

DEVICES = ["CON", "aux", "Nul", "prn", "COM1", "lpt9", "com\u00b9", "aux.py", "nul.tar.gz", "con .x"]
HOSTILE = [*DEVICES, "a. .", " a ", "..", "a/b", "a:b", 'a"*<>|?b', "a\x00b", "é" * 200, "seed.txt"]
FORBIDDEN = set('<>:"/\\|?*') | {chr(number) for number in range(32)}
RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in "0123456789¹²³")}


def ids_of(*labels: str) -> list[str]:
    return make_ids([DownloadedSubmission(label, label, Identity()) for label in labels])


@pytest.mark.parametrize("label", HOSTILE)
def test_any_label_becomes_a_name_that_windows_takes(label: str):
    [name] = ids_of(label)
    assert name
    assert not FORBIDDEN & set(name)
    assert name == name.strip(" .")
    assert name.partition(".")[0].strip().casefold() not in RESERVED
    assert len(name.encode()) <= 255
    assert name.casefold() not in (SEED, "grades.csv", "class.json", "index.html", "overrides.csv")


def test_devices_keep_their_names_with_an_underscore_and_other_names_stay_as_they_are():
    assert [safe_id(name) for name in ("CON", "aux.py", "NUL.")] == ["CON_", "aux_.py", "NUL_"]
    kept = ["console", "Nul Pointer", "auxiliaire", "com10", "Ana-María (2)", "groupe 1"]
    assert [safe_id(name) for name in kept] == kept


def test_names_that_some_file_system_takes_for_one_become_several():
    labels = [
        "alice",
        "Alice",
        "ALICE ",
        "alice.",
        "CON",
        "con_",
        "caf\u00e9",
        "cafe\u0301",
        "straße",
        "STRASSE",
    ]
    folded = [name.casefold() for name in ids_of(*labels)]
    assert len(set(folded)) == len(labels)


def test_a_class_of_such_folders_is_taken_in_whole(tmp_path: Path):
    names = ["CON", "con", "aux", "nul.txt", "alice", "Alice", "alice. "]
    for number, name in enumerate(names):
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / "rendu.py").write_text(f"x = {number}\n", encoding="utf-8")
    taken = entries(tmp_path / "in")
    assert len({entry.id.casefold() for entry in taken}) == len(names)
    texts = {(entry.path / "rendu.py").read_text(encoding="utf-8") for entry in taken}
    assert texts == {f"x = {number}\n" for number in range(len(names))}
