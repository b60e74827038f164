"""Several known mistakes as one: names and hints joined for those who read, never split again."""

from collections.abc import Iterable, Sequence

from graders.results.result import Mistake


def join_names(alternatives: Iterable[Iterable[str]]) -> str:
    """The names of mistakes in one text: `a + b` for two at once, `a | b` for alternatives."""
    return " | ".join(" + ".join(names) for names in alternatives)


def join_mistakes(alternatives: Sequence[Sequence[Mistake]]) -> Mistake | None:
    """One mistake with the names and hints of all; None for none. See `Finding.mistakes`."""
    if not alternatives:
        return None
    english = " Or: ".join(" And: ".join(mistake.hint for mistake in made) for made in alternatives)
    french = " Ou bien\u00a0: ".join(
        " Et\u00a0: ".join(mistake.hint_fr or mistake.hint for mistake in made) for made in alternatives
    )
    names = join_names((mistake.name for mistake in made) for made in alternatives)
    translated = any(mistake.hint_fr for made in alternatives for mistake in made)
    return Mistake(names, english, french if translated else "")
