"""Join the names and hints of several known mistakes, for readers; no code splits them again."""

from collections.abc import Iterable, Sequence

from graders.results.result import Mistake


def join_names(alternatives: Iterable[Iterable[str]]) -> str:
    """The names of mistakes in one text: `a + b` for two at once, `a | b` for alternatives."""
    return " | ".join(" + ".join(names) for names in alternatives)


def join_mistakes(alternatives: Sequence[Sequence[Mistake]]) -> Mistake | None:
    """One mistake with the names and hints of all; None if there are none. See `Finding.mistakes`."""
    if not alternatives:
        return None
    english = " Or: ".join(
        " And: ".join(mistake.hint for mistake in alternative) for alternative in alternatives
    )
    french = " Ou bien\u00a0: ".join(
        " Et\u00a0: ".join(mistake.hint_fr or mistake.hint for mistake in alternative)
        for alternative in alternatives
    )
    names = join_names((mistake.name for mistake in alternative) for alternative in alternatives)
    translated = any(mistake.hint_fr for alternative in alternatives for mistake in alternative)
    return Mistake(names, english, french if translated else "")
