"""What a very large class costs after grading: seconds, CPU seconds and memory of each command.

    .venv/bin/python -m tests.benchmarks.hundred_thousand [COUNT] [--from RESULTS] [--in FOLDER] [--only NAME]

The results are copies of the sample class's, which is graded first (or `--from` names a folder of results).
Each has its own id, name, times and digest, other numbers in its messages, and now and then another check
that fails, so that there are many patterns of failing checks. 100,000 take 16 GB of disk, and as much again
with `gather`. Memory is the sum of the proportional sizes (PSS) of all processes of a command, sampled.
"""

import argparse
import contextlib
import csv
import json
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from graders.batch.part_record import Part, PartRecord, digest_of, digest_of_seed, write_part
from graders.batch.run_seed import run_seed
from graders.classroom import class_record
from graders.classroom.class_record import ClassRecord, HandIn, Student
from graders.classroom.marks import Marker
from graders.results.result import from_json
from reports import publish
from reports.pages import student_page
from tests.benchmarks.line import HANDED_IN
from tests.support.processes import below

COMMAND = [sys.executable, "-c", "from graders.cli.main import main; main()"]
MARKER = re.compile("@@(.*?)@@")
PARTS = 4
SEED = 1
DUE = datetime(2026, 11, 20, 22, 0, tzinfo=UTC)
FIRST, LAST = (
    ("Agathe", "Bob", "Chloé", "Đặng", "Émile", "Farah", "Hugo"),
    ("Moreau", "Roux", "Benali", "Martin"),
)
TICK_S = 1.0  # four times as often, this process alone took a tenth of what it measured


@dataclass(frozen=True)
class Original:
    """A result of the sample class with markers where copies differ, and the bytes of its page."""

    text: str
    page: bytes
    checks: dict[str, list[str]]


@dataclass(frozen=True)
class Cost:
    """What a command took."""

    wall_s: float
    cpu_s: float
    peak_bytes: int
    status: int


def read_original(path: Path) -> Original:
    """The result in a file, as a text with markers."""
    data = json.loads(path.read_text(encoding="utf-8"))
    page = student_page.render(from_json(path.read_text(encoding="utf-8")), None, "0" * 64).encode()
    data["submission"] |= {"id": "@@id@@", "sha256": "@@sha256@@"}
    data |= {"key": "@@key@@", "graded_at": "@@graded_at@@", "seconds": "@@seconds@@", "digest": ""}
    checks: dict[str, list[str]] = {}
    for exercise in data["exercises"]:
        for finding in exercise["findings"]:
            name = f"{exercise['name']}/{finding['check']}"
            if finding["outcome"] == "passed":
                checks.setdefault(exercise["name"], []).append(name)
                finding["outcome"] = f"@@check {name}@@"
            if finding["message"]:
                finding["message"] = f"@@message {finding['message']}@@".replace("\n", " ")
        if exercise["outcome"] == "passed":
            exercise["outcome"] = f"@@exercise {exercise['name']}@@"
    return Original(json.dumps(data, indent=1, ensure_ascii=False), page, checks)


def copy_result(original: Original, name: str, number: int, draws: random.Random) -> str:
    """One more student's result."""
    failing = {
        exercise: draws.choice(names) for exercise, names in original.checks.items() if draws.random() < 0.12
    }
    fixed = {
        "id": name,
        "sha256": f"{number:064x}",
        "key": f"{draws.getrandbits(256):064x}",
        "graded_at": (DUE + timedelta(seconds=number)).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }

    def value(match: re.Match[str]) -> str:
        kind, _, what = match[1].partition(" ")
        if kind == "check":
            return "failed" if what in failing.values() else "passed"
        if kind == "exercise":
            return "failed" if what in failing else "passed"
        if kind == "message":
            return re.sub("[0-9]+", lambda _: str(draws.randrange(1000)), what)
        return fixed[kind]

    text = original.text.replace('"@@seconds@@"', f"{draws.uniform(1, 20):.3f}")
    return MARKER.sub(value, text)


def make_class(count: int) -> ClassRecord:
    """So many students; one in fifty handed in nothing."""
    students = tuple(
        Student(
            f"s{n:06}",
            f"{FIRST[n % 7]} {LAST[n // 7 % 4]} {n}",
            f"s{n:06}@example.org",
            f"group {n % 200}",
            number=str(n),
        )
        for n in range(count + count // 50)
    )
    hand_ins = tuple(
        HandIn(student.id, f"{student.id}.py", DUE - timedelta(seconds=n), "roster", students=(student.id,))
        for n, student in enumerate(students[:count])
    )
    return ClassRecord("attention", 20, "plain", students, hand_ins)


def make_results(source: Path, root: Path, count: int) -> None:
    """The class in `root/part1` and so on, and in `root/results`, which shares their files."""
    originals = [read_original(path) for path in sorted(source.glob("*/result.json"))]
    record, draws = make_class(count), random.Random(1)
    marker = Marker(record)
    keys: dict[int, dict[str, str]] = {n: {} for n in range(1, PARTS + 1)}
    for number, hand_in in enumerate(record.hand_ins):
        original = originals[number % len(originals)]
        text = copy_result(original, hand_in.id, number, draws)
        result = from_json(text)
        part = next(n for n in keys if Part(n, PARTS).has(hand_in.id))
        keys[part][hand_in.id] = result.key
        folder = root / f"part{part}" / hand_in.id
        folder.mkdir(parents=True)
        (folder / "result.json").write_text(text, encoding="utf-8")
        digest = publish.digest_of_page(result, False, marker.mark(result))
        (folder / "index.html").write_bytes(original.page.replace(b"0" * 64, digest.encode(), 1))
        there = root / "results" / hand_in.id
        there.mkdir(parents=True)
        for file in folder.iterdir():
            (there / file.name).hardlink_to(file)
    facts = {"assignment": "attention", "language": "en", "seed": digest_of_seed(SEED)}
    for n, own in keys.items():
        write_part(root / f"part{n}", PartRecord(Part(n, PARTS), digest_of(facts), facts, own))
    for folder in (root / "results", *(root / f"part{n}" for n in keys)):
        (folder / class_record.FILE).write_text(class_record.to_json(record), encoding="utf-8")
        run_seed(folder, SEED)
    write_overrides(root / "results/overrides.csv", record)
    write_tables(root, record)


def renew_pages(root: Path) -> None:
    """Let all pages count as made by softmark as it is now: in place, since parts share them."""
    marker = Marker(
        class_record.from_json((root / "results" / class_record.FILE).read_text(encoding="utf-8"))
    )
    for path in (root / "results").glob("*/result.json"):
        result = from_json(path.read_text(encoding="utf-8"))
        digest = publish.digest_of_page(result, False, marker.mark(result))
        with (path.parent / "index.html").open("r+b") as file:
            start = file.read(400).index(b'made-from" content="') + len(b'made-from" content="')
            file.seek(start)
            file.write(digest.encode())


def write_overrides(path: Path, record: ClassRecord) -> None:
    """The instructor has set the points of one student in a thousand."""
    rows = [f"{student.id},,12,seen\n" for student in record.students[len(record.hand_ins) :: 20]]
    path.write_text("id,exercise,points,comment\n" + "".join(rows), encoding="utf-8")


def write_tables(root: Path, record: ClassRecord) -> None:
    """The platforms' own tables, to be filled in."""
    with (root / "worksheet.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(
            ["Identifier", "Full name", "Email address", "Grade", "Maximum Grade", "Feedback comments"]
        )
        for student in record.students:
            writer.writerow([f"Participant {student.number}", student.name, student.email, "", "20.00", ""])
    with (root / "gradebook.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["Student", "ID", "SIS Login ID", "Section", "attention (7)"])
        for student in record.students:
            writer.writerow([student.name, student.number, student.id, "A", ""])


def commands(root: Path) -> dict[str, list[str]]:
    """Every command that reads the whole class."""
    out, pages = str(root / "results"), str(root / "written")
    return {
        "report": ["report", out, "--jobs", "2"],
        "export moodle": ["export", out, "moodle", "--template", str(root / "worksheet.csv")],
        "export canvas": ["export", out, "canvas", "--template", str(root / "gradebook.csv")],
        "export junit": ["export", out, "junit"],
        "export gradescope": ["export", out, "gradescope", "--to", pages],
        "results sqlite": ["results", out, "--to", str(root / "results.sqlite"), "--jobs", "2"],
        "results parquet": ["results", out, "--to", str(root / "results.parquet"), "--jobs", "2"],
        "gather": [
            "gather",
            *(str(root / f"part{n}") for n in range(1, PARTS + 1)),
            *("--out", str(root / "gathered"), "--jobs", "2"),
        ],
    }


def run_measured(words: list[str], log: Path, limit_s: float) -> Cost:
    """Run a command of softmark; it is killed after so many seconds."""
    before, began, peak = cpu_of_children(), time.monotonic(), 0
    with log.open("wb") as file, subprocess.Popen([*COMMAND, *words], stdout=file, stderr=file) as process:
        while process.poll() is None:
            peak = max(peak, sum(map(proportional_size, [process.pid, *below(process.pid)])))
            if time.monotonic() - began > limit_s:
                process.kill()
            time.sleep(TICK_S)
    return Cost(time.monotonic() - began, cpu_of_children() - before, peak, process.returncode)


def cpu_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def proportional_size(process: int) -> int:
    """The memory of a process, what it shares with others divided among them."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0


def show(what: str, *figures: str) -> None:
    print(f"{what:20}" + "".join(f"{figure:>14}" for figure in figures), flush=True)  # noqa: T201


def measure(root: Path, only: list[str], limit_s: float) -> None:
    """Print a line for each command."""
    show("command", "wall s", "CPU s", "memory MB", "status")
    for name, words in commands(root).items():
        if not only or name in only:
            cost = run_measured(words, root / "log.txt", limit_s)
            status = "killed" if cost.status < 0 else str(cost.status)
            show(name, f"{cost.wall_s:.1f}", f"{cost.cpu_s:.1f}", f"{cost.peak_bytes / 1e6:.0f}", status)
    pages = [*(root / "results").glob("index*.html"), *(root / "results").glob("submissions*.html")]
    show("class page", f"{sum(page.stat().st_size for page in pages) / 1e6:.1f} MB", f"{len(pages)} files")


def grade_sample(out: Path) -> None:
    words = ["grade", str(HANDED_IN), "--assignment", "attention", "--seed", str(SEED), "--unsafe"]
    subprocess.run([*COMMAND, *words, "--out", str(out)], check=False, capture_output=True)


def main(count: int, source: Path | None, root: Path, only: list[str], limit_s: float) -> None:
    if not (root / "results").exists():
        if source is None:
            source = root / "sample"
            grade_sample(source)
        began = time.monotonic()
        make_results(source, root, count)
        show(f"{count} results", f"made in {time.monotonic() - began:.0f} s")
    else:
        renew_pages(root)
    measure(root, only, limit_s)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=100_000)
    parser.add_argument("--from", dest="source", type=Path, help="results of the sample class")
    parser.add_argument("--in", dest="root", type=Path, help="a folder to make them in, and to keep")
    parser.add_argument("--only", action="append", default=[], help="one of the commands")
    parser.add_argument("--limit", type=float, default=1800, help="seconds after which a command is killed")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="softmark-many-") as folder:
        main(asked.count, asked.source, asked.root or Path(folder), asked.only, asked.limit)
