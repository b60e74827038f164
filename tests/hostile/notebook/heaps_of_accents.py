"""Letters carry hundreds of thousands of accents, which Python sorts in quadratic time.

outcome: passed
points: 2
says: a long row of signs or accents
"""

from pathlib import Path

from tests.hostile.honest import with_right


def make(folder: Path) -> Path:
    return with_right(
        folder, "a" + "\u0345\u0301" * 200_000 + " = 1", "a" + "\uff9e\u0301" * 200_000, "\ufdfa" * 100_000
    )
