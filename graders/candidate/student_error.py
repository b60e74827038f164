"""Errors that the student's code raised, and where its process was lost: a sentence and a place.

What the box reports is untrusted: a file name or a line may be anything.
"""

import ast
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graders.candidate.read_shapes import shapes_read
from graders.check_api.candidate import Raised
from graders.check_api.refusal import is_refusal
from graders.extraction.extract import SUPPLIED, Source
from graders.extraction.program import BrokenCell, remark_at
from graders.extraction.qualified_names import place_in
from graders.language import tr, translatable
from graders.results.describe_place import describe_place
from graders.results.limit import Limit
from graders.results.result import Outcome, Place, Remark
from graders.safe_text import safe_text
from graders.sandbox.denied import ErrorText, explain_denial
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits, format_size
from graders.sandbox.process_lost import ProcessLost
from graders.sandbox.worker_messages import find_sentence, is_too_large, is_unbound

UNBOUND = "cannot bind"  # the kind of the error of a constructor that does not take the contract's arguments
ABOUT_SHAPES = ("RuntimeError", "ValueError", "IndexError", "TypeError")  # errors that shapes may explain
ON_THE_CPU = translatable(
    "a device is asked for that this machine does not have (CUDA or another): the CPU took its place"
)
PlaceOfLine = Callable[[str, int], Place | None]


class RaisedByStudent(Raised):
    """An error that the student's code raised, its place, and the limit that it reached, if any.

    `kind` is the error's type, or the limit if the sentence is about the limit.
    """

    def __init__(
        self,
        text: str,
        kind: str,
        place: Place | None,
        outcome: Outcome = Outcome.RAISED,
        limit: Limit | None = None,
    ) -> None:
        line = place.code if place and outcome is Outcome.RAISED else None
        super().__init__(text, kind, refused=line is not None and is_refusal(line, kind))
        self.place = place
        self.outcome = outcome
        self.limit = limit


@dataclass(frozen=True)
class Problem:
    """A statement that raised while the source was loaded, and the names it would have bound.

    `limit` is the sandbox limit that made it raise, if one did.
    """

    text: str
    place: Place
    binds: tuple[str, ...]
    limit: Limit | None = None

    def lacks(self, other: "Problem") -> bool:
        """Whether it arose because another statement did not bind its names."""
        kinds = ("NameError: ", "ImportError: cannot import name")
        return self.text.startswith(kinds) and any(f"'{name}'" in self.text for name in other.binds)

    @property
    def says(self) -> str:
        """The sentence in which another error names this one as its cause."""
        return tr("{where}, raised {error}", where=describe_place(self.place), error=self.text)

    @property
    def remark(self) -> Remark:
        """The remark on this statement alone."""
        sentence = tr("this line raised and was skipped: {error}", error=self.text)
        return remark_at(self.place, sentence)


def _unread(part: BrokenCell) -> Problem:
    """A statement that is not Python as one that raised: its names are missing as well."""
    line, reason, _ = part.problem
    return Problem(safe_text(f"SyntaxError: {reason}", 300), part.page.place(line), part.names)


class StudentErrors:
    """Explains what went wrong with one source.

    Args:
        source: what was loaded.
        limits: those of the sandbox.
        level: the isolation level of the box. None without a box: then no error is explained by a limit.
        place_of_line: the place of a line, given its file and number; None where the line is not the
            student's. By default, those of the source's own cells and files.
    """

    def __init__(
        self,
        source: Source,
        limits: Limits,
        level: IsolationLevel | None,
        place_of_line: PlaceOfLine | None = None,
    ) -> None:
        self._limits = limits
        self._level = level
        self.place_of_line = place_of_line or self._line_of_piece
        self._files = {piece.label: piece for module in source.modules for piece in module.pieces}
        self.problems: Sequence[Problem] = ()
        self._unread = [_unread(part) for part in source.broken]
        self.left_out: list[Remark] = []

    def store_load_report(self, problems: Any, notes: Any = None) -> None:
        """Store what the box reported while loading the source: what raised, and what was left out."""
        self.problems = [self._problem(problem) for problem in _records(problems)]
        self.left_out = [
            remark_at(self._place_in(note), safe_text(sentence, 500))
            for note in _records(notes)
            if (sentence := find_sentence(note.get("message")))
        ]

    def store_absent_device(self, frames: Any) -> None:
        """Store that the code asks for a device that is absent, and where: None where it never does."""
        if frames is not None:
            place = self._place({"frames": frames})
            self.left_out.append(remark_at(place, tr(ON_THE_CPU)) if place else Remark(tr(ON_THE_CPU)))

    def explain_absence(self, symbol: str) -> ErrorText:
        """Why the symbol is not there, as far as known."""
        problems = [problem for problem in self.problems if symbol in problem.binds] or self.problems
        if not problems:
            return ErrorText(tr("{symbol} could not be loaded", symbol=symbol))
        cause = self._first_cause(problems[0])
        text = tr("{symbol} could not be loaded: {why}", symbol=symbol, why=cause.says)
        return ErrorText(text, cause.limit)

    def _first_cause(self, problem: Problem) -> Problem:
        """The earliest problem because of which a problem arose: a name that was never bound has a reason."""
        if problem in self._unread:
            return problem
        earlier = [*self._unread, *self.problems[: self.problems.index(problem)]]
        while earlier:
            before = earlier.pop()
            if problem.lacks(before):
                problem = before
        return problem

    def place_of(self, lost: ProcessLost) -> Place | None:
        """The innermost submitted line that a lost process was running; inside a loop, the loop's line."""
        for label, line in lost.frames:
            for name, piece in self._files.items():
                if name.encode("ascii", "backslashreplace").decode() == label:
                    return place_in(piece.file, piece.cell, _loop(piece.code, line), piece.code)
        return None

    def with_place(self, lost: ProcessLost) -> str:
        """Why the process was lost, with the line where it was."""
        place = self.place_of(lost)
        return tr("{where}: {what}", where=describe_place(place), what=lost) if place else str(lost)

    def error(self, described: dict[str, Any]) -> RaisedByStudent:
        """The error that the box describes."""
        kind, place, message = str(described.get("type")), self._place(described), described.get("message")
        text = find_sentence(message) or str(described.get("text"))
        if is_too_large(message):
            too_large = tr(
                "the answer is too large: {reason} (an answer may have at most {most})",
                reason=text,
                most=format_size(self._limits.reply_bytes),
            )
            size = Limit.ANSWER_SIZE
            return RaisedByStudent(safe_text(too_large, 300), size, place, limit=size)
        if is_unbound(message):
            return RaisedByStudent(safe_text(text, 600), UNBOUND, place)
        full = safe_text(f"{kind}: {text}" if text else kind, 1_000)
        if described.get("memory") is True:
            return self._out_of_memory(kind, full, described)
        caused = self._find_cause(kind, full, _files(described))
        return RaisedByStudent(caused.text, kind, place, limit=caused.limit)

    def _out_of_memory(self, kind: str, error: str, described: dict[str, Any]) -> RaisedByStudent:
        place, outcome, memory = self._place(described), Outcome.OUT_OF_MEMORY, Limit.MEMORY
        if self._level is None:
            text = self._find_cause(kind, error, _files(described)).text
            return RaisedByStudent(text, kind, place, outcome, memory)
        message = tr(
            "the code asked for more memory than the {most} that it may use ({error})",
            most=format_size(self._limits.memory_bytes),
            error=error,
        )
        return RaisedByStudent(message, memory, place, outcome, memory)

    def _problem(self, described: dict[str, Any]) -> Problem:
        binds, through, place = described.get("binds"), described.get("through"), self._place_in(described)
        names = tuple(str(name) for name in binds) if isinstance(binds, list) else ()
        files = [str(name) for name in through] if isinstance(through, list) else []
        sentence = find_sentence(described.get("message"))
        error = f"{described.get('type')}: {sentence}" if sentence else str(described.get("error"))
        explained = self._explain(safe_text(error, 500), files)
        return Problem(explained.text, place, names, explained.limit)

    def _explain(self, text: str, files: list[str]) -> ErrorText:
        if self._level is None:
            return ErrorText(text)
        return explain_denial(text, files, self._limits, self._level.scratch)

    def _find_cause(self, kind: str, text: str, files: list[str]) -> ErrorText:
        """A NameError for something that failed to load is explained by what failed."""
        for problem in [*self.problems, *self._unread] if kind == "NameError" else ():
            if any(f"'{name}'" in text for name in problem.binds):
                cause = self._first_cause(problem)
                return ErrorText(tr("{error}; {cause}", error=text, cause=cause.says), cause.limit)
        return self._explain(text, files)

    def _place(self, described: dict[str, Any]) -> Place | None:
        frames = described.get("frames")
        for number, frame in reversed(list(enumerate(frames if isinstance(frames, list) else []))):
            if (
                isinstance(frame, list)
                and len(frame) == 3
                and type(frame[0]) is str
                and type(frame[1]) is int
                and (place := self.place_of_line(frame[0], frame[1]))
            ):
                shapes = described.get("shapes") if described.get("type") in ABOUT_SHAPES else None
                return replace(place, shapes=shapes_read(place.code or "", shapes, number))
        return None

    def _line_of_piece(self, label: str, line: int) -> Place | None:
        piece = self._files.get(label)
        return place_in(piece.file, piece.cell, line, piece.code) if piece else None

    def _place_in(self, described: dict[str, Any]) -> Place:
        """The place that the box describes; its text is that of the source."""
        cell, line = described.get("cell"), described.get("line")
        file = safe_text(str(described.get("file")), 200)
        cell, line = cell if type(cell) is int else None, line if type(line) is int else 1
        own = (p for p in self._files.values() if (p.file, p.cell) == (file, cell) and p.label != SUPPLIED)
        piece = next(own, None)
        return place_in(file, cell, line, piece.code if piece else "")


def _loop(code: str, line: int) -> int:
    """The first line of the innermost loop around a line: where in it the code stopped is chance."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            nodes = list(ast.walk(ast.parse(code)))
    except (SyntaxError, ValueError, RecursionError):
        return line
    kinds = (ast.For, ast.AsyncFor, ast.While, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    enclosing = [n for n in nodes if isinstance(n, kinds) and n.lineno <= line <= (n.end_lineno or n.lineno)]
    inner = max(enclosing, key=lambda node: node.lineno, default=None)
    return inner.lineno if isinstance(inner, ast.For | ast.AsyncFor | ast.While) else line


def _records(described: Any) -> list[dict[str, Any]]:
    return [r for r in described if isinstance(r, dict)] if isinstance(described, list) else []


def _files(described: dict[str, Any]) -> list[str]:
    frames = described.get("frames")
    return [str(f[0]) for f in frames if isinstance(f, list) and f] if isinstance(frames, list) else []
