"""How two runs differ in the facts that their results depend on (`cache_key.facts_of_run`)."""

from collections.abc import Iterator, Mapping

from graders.language import tr, translatable
from graders.safe_text import safe_text

_NAMES = {
    "assignment": translatable("the assignment"),
    "seed": translatable("the seed (its digest)"),
    "level": translatable("the box (sandbox)"),
    "device": translatable("the device"),
    "dtype": translatable("the precision"),
    "timing": translatable("the threads of the timing"),
    "timing_full": translatable("whether timing measures everything"),
    "language": translatable("the language"),
    "exercises": translatable("the exercises"),
    "python": "Python",
}
_KINDS = {
    "limit": translatable("the limit {name}"),
    "exercise": translatable("the rules of {name}"),
    "file": translatable("the file {name} (its digest)"),
    "package": "{name}",
}


def differing_facts(ours: Mapping[str, str], theirs: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """What differs, as people call it, with both values: what explains most comes first."""
    for name in sorted({*ours, *theirs}, key=_rank):
        if ours.get(name) != theirs.get(name):
            one, other = (safe_text(facts.get(name) or tr("absent"), 120) for facts in (ours, theirs))
            yield _describe(name), one, other


def _rank(name: str) -> tuple[int, str]:
    """What explains most comes first: settings, then packages, then files."""
    kind = name.partition(" ")[0]
    last = ("package", "limit", "exercise", "file")
    # PyTorch and softmark before packages that are seldom the reason.
    if name in ("package torch", "package softmark"):
        return 0, name
    return (last.index(kind) + 1 if " " in name and kind in last else 0), name


def _describe(name: str) -> str:
    kind, _, what = name.partition(" ")
    if what and kind in _KINDS:
        return tr(_KINDS[kind], name=safe_text(what, 120))
    return tr(_NAMES[name]) if name in _NAMES else safe_text(name, 120)
