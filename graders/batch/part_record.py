"""A part of a class: which submissions belong to it, and what it records of its run in `OUT/part.json`.

The parts of a class are graded on several machines, each into a folder of its own, and gathered afterwards.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from graders.language import tr, translatable
from graders.results.atomic_write import write_atomically
from graders.results.json_schema import from_json_text, to_json_text
from graders.results.read_below import read_below

SCHEMA = "softmark/part/1"
FILE = "part.json"  # in the folder of the part's results
ROUNDS = 200_000  # of the digest of a seed: some 100 ms
LIMIT = 64_000_000  # bytes; a class of 100,000 in one part takes 10 MB
MOST_PARTS = 10_000


class BadPart(ValueError):
    """What was typed is no part. Text for the person who typed it."""


@dataclass(frozen=True, slots=True)
class Part:
    """Part `number` of `of` parts, counted from 1."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def has(self, id: str) -> bool:  # noqa: A002 - the field's name in every result
        """Whether the submission of this id belongs to this part."""
        return number_of(id, self.of) == self.number


@dataclass(frozen=True, slots=True)
class PartRecord:
    """What a part records of its run, so that parts of different runs are never mixed.

    Attributes:
        schema: the name and version of this format.
        part: which part of the class it is, and of how many.
        run: the digest of all that the run's results depend on, except the submissions.
        facts: the same by name, with a digest in place of the seed.
        keys: the key of each submission of this part by its id; empty where a submission cannot be read.
            A result with another key is of an earlier run.
    """

    schema: str = field(default=SCHEMA, kw_only=True)
    part: Part
    run: str
    facts: dict[str, str]
    keys: dict[str, str]


def digest_of(facts: Mapping[str, str]) -> str:
    """The digest of a run with these facts: runs with equal digests differ in none of them."""
    return hashlib.sha256(repr(sorted(facts.items())).encode()).hexdigest()


def digest_of_seed(seed: int) -> str:
    """What stands for the seed among the facts: the seed is secret, and facts are shown."""
    # Slow on purpose: seeds are few enough to try them all with a quick digest. Some builds lack scrypt.
    return hashlib.pbkdf2_hmac("sha256", str(seed).encode(), b"softmark seed", ROUNDS, dklen=16).hex()


def number_of(id: str, of: int) -> int:  # noqa: A002
    """The number of the part to which a submission belongs, by a digest of its id.

    A student who is added later moves nobody to another part.
    """
    digest = hashlib.sha256(id.encode("utf-8", "surrogatepass")).digest()
    return 1 + int.from_bytes(digest[:8], "big") % of


def parse_part(text: str) -> Part:
    """The part that a text such as `3/20` names.

    Raises:
        BadPart: it names none.
    """
    match = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text.strip())
    part = Part(int(match[1]), int(match[2])) if match else None
    if part is None or not 1 <= part.number <= part.of <= MOST_PARTS:
        message = translatable("{text} is no part: write 3/20 for the third of 20 (at most {most})")
        raise BadPart(tr(message, text=repr(text), most=MOST_PARTS))
    return part


def write_part(out: Path, record: PartRecord) -> None:
    """Write `OUT/part.json`."""
    write_atomically(out / FILE, to_json_text(record).encode())


def from_json(text: str) -> PartRecord:
    """The record in a part.json.

    Raises:
        ValueError: the text is not a record of this schema.
    """
    record = from_json_text(text, PartRecord, SCHEMA)
    if not 1 <= record.part.number <= record.part.of <= MOST_PARTS:
        raise ValueError(f"there is no part {record.part}")
    return record


def part_in(out: Path) -> Part | None:
    """The part of a class whose results lie in `out`; None if it is no part's folder.

    Raises:
        OSError: `part.json` is there and cannot be read.
        ValueError: it is damaged.
    """
    try:
        return from_json(read_below(out, LIMIT, FILE).text).part
    except (FileNotFoundError, NotADirectoryError):
        return None
