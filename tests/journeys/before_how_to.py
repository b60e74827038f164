"""What the reader of a how-to page has before: the downloads of platforms, a class of more students."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from graders.locations import SHIPPED
from tests.support.downloads import CODE, GRADEBOOK, WORKSHEET, checkout, commit, packed, unpacked
from tests.support.followed_page import Done, command, follow, follow_steps

WRONG = "def concat_heads(x):\n    B, H, S, D = x.shape\n    return x.reshape(B, S, H * D)\n"
STYLES = {
    "eva": "configuration",
    "finn": "einsum",
    "gil": "fused_by_rows_of_heads",
    "hana": "in_a_dict",
    "ivo": "in_one_piece",
}
IN_TIME, LATE = "2026-11-20T11:00:00+01:00", "2026-11-22T09:00:00+01:00"


def make_downloads(folder: Path) -> None:
    """A download of each platform, of one student or two."""
    packed(folder / "moodle.zip", {"Alice Martin_11_assignsubmission_file_/rendu.py": CODE})
    packed(folder / "submissions.zip", {"martinalice_101_9001_rendu.py": CODE})
    packed(
        folder / "export.zip",
        {
            "assignment_1_export/submission_metadata.yml": "---\nsubmission_101:\n  :submitters:\n"
            "  - :name: Alice Martin\n    :sid: '0007'\n    :email: alice@uni.example\n"
            "  :created_at: 2026-11-20 22:10:11.123456000 Z\n",
            "assignment_1_export/submission_101/rendu.py": CODE,
        },
    )
    (folder / "worksheet.csv").write_text(WORKSHEET, encoding="utf-8", newline="")
    (folder / "gradebook.csv").write_text(GRADEBOOK, encoding="utf-8", newline="")
    stamped = {"rendu.py": CODE, "timestamp.txt": "2026-11-20 10:00:00.000000 UTC"}
    unpacked(folder / "submitted/alice/TP4", stamped)
    make_repositories(folder)


def make_repositories(folder: Path) -> None:
    """A repository with one commit in time, and its list of users."""
    checkout(folder / "repositories/attention-amartin", IN_TIME)
    users = "id,name,username\nalice,Alice Martin,amartin\n"
    (folder / "users.csv").write_text(users, encoding="utf-8")


def make_late_repositories(folder: Path) -> None:
    """The same with a second commit, which is late, and a late rule."""
    make_repositories(folder)
    place = folder / "repositories/attention-amartin"
    commit(place, IN_TIME, {"answers.py": WRONG})
    commit(place, LATE, {"answers.py": CODE})
    (folder / "course.toml").write_text(
        '[course]\ntitle = "Transformers"\nextends = "softmark"\ntime_zone = "Europe/Paris"\n\n'
        "[attention]\nlate = { due = 2026-11-20T23:59:00, per_day = 0.1 }\n",
        encoding="utf-8",
    )


def add_students(folder: Path) -> None:
    """Six more, of whom one has the code of another under other names; graded."""
    styles = SHIPPED.solutions / "right/multi_head_attention"
    for name, style in STYLES.items():
        shutil.copyfile(styles / f"{style}.py", folder / f"handed-in/{name}.py")
    copied = (folder / "handed-in/eva.py").read_text(encoding="utf-8")
    copied = copied.replace("self.", "this.").replace("(self", "(this")
    (folder / "handed-in/jon.py").write_text(copied, encoding="utf-8")
    grade = "grade handed-in/ --assignment attention --roster roster.csv --out results/ --jobs 1"
    _all_right(follow_steps([command(grade)], folder, {}))


def go_on_from(page: str) -> Callable[[Path], None]:
    """The files of another page, and what its commands make."""
    return lambda folder: _all_right(follow(f"how-to/{page}.md", folder, {"grade": "--jobs 1"}))


def _all_right(followed: list[Done]) -> None:
    assert all(done.status in (0, 1) for done in followed)


BEFORE: Mapping[str, Callable[[Path], None]] = {
    "downloads": make_downloads,
    "repositories": make_late_repositories,
    "extensions": go_on_from("dates"),
    "copies": add_students,
}
