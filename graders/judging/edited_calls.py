"""What a check asks, recorded once, so that many edits of the code can be asked the same in one message."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from graders.extraction.extract import Source
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits
from graders.sandbox.process import Answer
from graders.sandbox.questions import Answers, Parts
from graders.sandbox.session import Session

# Requests whose answers depend on what went before only by the modules that there are.
_CALLS = frozenset({"call", "infer", "call_and_look", "call_seeded", "gradients"})
_MAKES = frozenset({"construct", "take_layer", "take_transposed", "take_method"})
_CHANGES = frozenset({"load_parameters", "cast", "train"})


@dataclass
class _Asked:
    do: str
    value: list[Any]
    answer: Answer

    @property
    def target(self) -> Any:
        return self.value[0] if self.value else None


class _Through:
    """A session that passes all on to another."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.printed = ""
        self.lent: Answers | None = None

    @property
    def limits(self) -> Limits:
        return self._session.limits

    @property
    def level(self) -> IsolationLevel | None:
        return self._session.level

    @property
    def asks_together(self) -> bool:
        return False

    def open(self, source: Source) -> dict[str, Any]:
        return self._session.open(source)

    def ask(self, do: str, value: list[Any], seconds: float) -> Answer:
        return self._session.ask(do, value, seconds)

    def ask_all(self, requests: list[tuple[str, list[Any]]]) -> list[Answer] | None:
        del requests
        return None

    def close(self) -> None:
        self._session.close()

    def spent(self, *, exactly: bool) -> float:
        return self._session.spent(exactly=exactly)

    def within(self, seconds: float, used_up: str) -> AbstractContextManager[None]:
        return self._session.within(seconds, used_up)

    def use_parts(self, parts: Parts | None) -> bool:
        return self._session.use_parts(parts)


class Recording(_Through):
    """Records what is asked, and what is answered."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.asked: list[_Asked] = []

    def ask(self, do: str, value: list[Any], seconds: float) -> Answer:
        """The answer to one request, which is recorded with it."""
        self._session.lent = self.lent
        answer = self._session.ask(do, value, seconds)
        self.asked.append(_Asked(do, value, answer))
        return answer

    @property
    def only_constructs(self) -> bool:
        """Whether a module was constructed, and nothing was called."""
        asked = {asked.do for asked in self.asked}
        return "construct" in asked and not asked & _CALLS

    @property
    def last_call(self) -> list[Any] | None:
        """What was asked of the code last, as the arguments of a request; None where it was not called."""
        return next(([a.do, a.value] for a in reversed(self.asked) if a.do in _CALLS), None)

    @property
    def calls(self) -> list[list[Any]] | None:
        """The calls, which an edit of a function is asked; None where they depend on one another."""
        called: set[Any] = set()
        for asked in self.asked:
            if asked.do in _CALLS:
                called.add(asked.target)
            elif asked.do not in _MAKES and (asked.do not in _CHANGES or asked.target in called):
                return None
        return [[asked.do, asked.value] for asked in self.asked if asked.do in _CALLS] or None


class GoesOn(Exception):
    """The check asks more of the edited code than it asked of the code as it was, on which it failed."""


class Replaying(_Through):
    """Answers what was recorded, and to calls what the edited code has answered.

    Raises `GoesOn` where the check asks more, or something else.
    """

    def __init__(self, recording: Recording, answers: Sequence[Any]) -> None:
        super().__init__(recording)
        self._recorded = iter(recording.asked)
        self._answers = iter(answers)

    def ask(self, do: str, value: list[Any], seconds: float) -> Answer:
        """What was recorded of such a request; for a call, what the edited code has answered."""
        del value, seconds
        recorded = next(self._recorded, None)
        if recorded is None or recorded.do != do:
            raise GoesOn
        return Answer(True, next(self._answers)) if do in _CALLS else recorded.answer
