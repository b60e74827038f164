"""Downloads of learning platforms, made as the platforms make them."""

import io
import json
import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path

CODE = "def concat_heads(x):\n    return x.transpose(1, 2).flatten(2)\n"
MOODLE = {
    "Alice Martin_11_assignsubmission_file_/rendu.py": CODE,
    "Alice Martin_11_assignsubmission_file_/data/table.py": "x = 1\n",
    "Bob Roy_12_assignsubmission_file_/tp.py": CODE,
    "Bob Roy_12_assignsubmission_onlinetext_/onlinetext.html": "<p>see the file</p>",
    "Élise d'Été-Noël_13_assignsubmission_file_/été.py": CODE,
}
CANVAS = {
    "martinalice_101_9001_rendu.py": CODE,
    "martinalice_101_9002_notes.txt": "hello",
    "roybob_LATE_102_9003_tp.py": "old",
    "roybob_LATE_102_9007_tp-1.py": CODE,
    "etenoelelise_103_9005_part-1.py": CODE,
    "etenoelelise_103_9006_part-2.py": "y = 2\n",
    "typedtom_104_text.html": "<p>typed</p>",
}
WORKSHEET = (
    "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
    "Last modified (submission),Last modified (grade),Feedback comments\r\n"
    "Participant 11,Alice Martin,alice@uni.example,Submitted for grading,,20.00,Yes,"
    '"Friday, 20 November 2026, 11:58 PM",-,\r\n'
    "Participant 12,Bob Roy,bob@uni.example,Submitted for grading,,20.00,Yes,"
    '"Sunday, 22 November 2026, 9:00 AM",-,\r\n'
    "Participant 13,Élise d'Été-Noël,elise@uni.example,Submitted for grading,,20.00,Yes,"
    '"Friday, 20 November 2026, 8:00 AM",-,"earlier, kept"\r\n'
    "Participant 14,=Zoé Absente,zoe@uni.example,No submission,,20.00,Yes,-,-,\r\n"
)
FEUILLE = (
    "\ufeffIdentifiant;Nom complet;Adresse de courriel;Statut;Note;Note maximale;La note peut être modifiée;"
    "Dernière modification (travail remis);Dernière modification (note);Feedback par commentaires\n"
    "Participant 11;Alice Martin;alice@uni.example;Remis pour évaluation;;20,00;Oui;"
    '"vendredi 20 novembre 2026, 23:58";-;\n'
    "Participant 12;Bob Roy;bob@uni.example;Remis pour évaluation;;20,00;Oui;"
    '"dimanche 22 novembre 2026, 09:00";-;\n'
    '"Participant 13";"Élise d\'Été-Noël";elise@uni.example;Remis pour évaluation;;20,00;Oui;'
    '"vendredi 20 novembre 2026, 08:00";-;"déjà ""là"""\n'
    "Participant 14;Zoé Absente;zoe@uni.example;Rien n'a été déposé;;20,00;Oui;-;-;\n"
)
GRADEBOOK = (
    "Student,ID,SIS User ID,SIS Login ID,Section,TP 1 (555),Attention (777),Current Score\n"
    "    Points Possible,,,,,10,20,(read only)\n"
    '"Martin, Alice",101,s101,amartin,A,9,,90\n'
    '"Roy, Bob",102,s102,broy,A,,12.5,\n'
    '"Été-Noël, Élise",103,s103,eete,B,1,,\n'
    '"Absente, Zoé",105,s105,zabs,B,,,\n'
    '"Student, Test",999,,x,A,,,\n'
)


GRADESCOPE = {
    "assignment_8046601_export/submission_metadata.yml": """\
---
submission_101:
  :submitters:
  - :name: Zoé Absente
    :sid: '0012'
    :email: zoe@uni.example
  - :name: Bob Roy
    :sid:
    :email: bob@uni.example
  :created_at: 2026-11-20 22:10:11.123456000 Z
  :score: 3.0
  :status: processed
  :results:
    tests:
    - name: first
      output: |
        what a student printed
        submission_9:
          :submitters:
          - :name: Nobody
  :history:
  - :id: 99
    :created_at: 2026-11-19 08:00:00.000000000 Z
submission_102:
  :submitters:
  - :name: Alice Martin
    :sid: '0007'
    :email: alice@uni.example
  :created_at: !ruby/object:ActiveSupport::TimeWithZone
    utc: 2026-11-21 09:30:00.000000000 Z
    zone: America/Los_Angeles
submission_103:
  :submitters:
  - :name: Gone Away
    :sid: '0099'
  :created_at: 2026-11-20 10:00:00.000000000 Z
""",
    "assignment_8046601_export/submission_101/rendu.py": CODE,
    "assignment_8046601_export/submission_101/data/notes.txt": "x",
    "assignment_8046601_export/submission_102/answers.ipynb.txt": "",
    "assignment_8046601_export/submission_104/rendu.py": CODE,
}
INBOUND = {
    "alice+TP4+2026-11-19 10:00:00.000000 UTC+Ab_-12cd/a.py": "x = 1\n",
    "alice+TP4+2026-11-20 10:00:00.000000 UTC+Zz_-12cd/a.py": CODE,
    "bob+roy+TP4+2026-11-21 10:00:00.000000 UTC/a.py": CODE,
    "alice+TP3+2026-11-01 10:00:00.000000 UTC+Ab_-12cd/a.py": CODE,
}


def unpacked(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """The files under a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def packed(path: Path, files: Mapping[str, str]) -> Path:
    """The same in a zip."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def checkout(folder: Path, at: str, packed: bool = False) -> Path:
    """A git checkout whose only commit was made `at`."""
    unpacked(folder, {"answers.py": CODE})
    run_git(folder, "init", "-q", at=at)
    run_git(folder, "add", ".", at=at)
    run_git(folder, "commit", "-q", "-m", "work", at=at)
    if packed:
        run_git(folder, "gc", "-q", at=at)
    return folder


def commit(folder: Path, at: str, files: dict[str, str | bytes]) -> None:
    """Commit these files on top, `at` a time."""
    unpacked(folder, files)
    run_git(folder, "add", ".", at=at)
    run_git(folder, "commit", "-q", "-m", "more", at=at)


def run_git(folder: Path, *arguments: str, at: str) -> None:
    """Run git there, with nobody's settings and at that time."""
    settings = {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": str(folder),
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@x",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@x",
        "GIT_AUTHOR_DATE": at,
        "GIT_COMMITTER_DATE": at,
    }
    subprocess.run(["git", *arguments], cwd=folder, env=settings, check=True, capture_output=True)


def classroom50(at: str) -> str:
    """What Classroom 50 writes into a graded checkout."""
    return json.dumps({"schema": "classroom50/result/v1", "datetime": at, "score": 1, "max-score": 1})


def table(data: bytes) -> io.StringIO:
    """A CSV file's text for the csv module."""
    return io.StringIO(data.decode("utf-8-sig"), newline="")
