"""Order the kept statements: as in the file, unless a statement needs a later one."""

from collections.abc import Iterator

from graders.extraction.dependencies import Part


def order_units(part: Part) -> list[int]:
    """The kept statements at module scope in the order to run them, each by the index of its first unit.

    A statement that was moved forward runs a second time at its own place if another statement has bound
    its names in between.
    """
    names = names_bound(part)
    before, in_calls = _between_roots(part, part.before), _between_roots(part, part.in_calls)
    order: list[int] = []
    done: set[int] = set()
    owner: dict[str, int] = {}
    for root in sorted(names):
        again = root in done and any(owner[name] != root for name in names[root])
        for needed in [root] if again else _with_needed(root, before, in_calls, done):
            order.append(needed)
            owner.update(dict.fromkeys(names[needed], needed))
    return order


def names_bound(part: Part) -> dict[int, set[str]]:
    """The names that each kept statement at module scope binds."""
    names: dict[int, set[str]] = {}
    for at in part.kept:
        unit = part.code_file.units[at]
        names.setdefault(unit.root, set()).update(unit.names.binds, part.code_file.stars.get(at, ()))
    return names


def all_names(part: Part) -> set[str]:
    """All names that its kept statements bind at module scope."""
    return {name for names in names_bound(part).values() for name in names}


def _between_roots(part: Part, edges: dict[int, set[int]]) -> dict[int, set[int]]:
    units = part.code_file.units
    root_edges: dict[int, set[int]] = {}
    for at, needed in edges.items():
        if at in part.kept:
            roots = {units[other].root for other in needed if other in part.kept}
            root_edges.setdefault(units[at].root, set()).update(roots - {units[at].root})
    return root_edges


def _with_needed(
    root: int, before: dict[int, set[int]], in_calls: dict[int, set[int]], done: set[int]
) -> Iterator[int]:
    """Yield what `root` needs and has not run yet, then `root`: depth first, without recursion."""
    open_roots = {root: _find_needed(root, before, in_calls)} if root not in done else {}
    while open_roots:
        current, needed = next(reversed(open_roots.items()))
        following = next((other for other in needed if other not in done and other not in open_roots), None)
        if following is None:
            open_roots.pop(current)
            done.add(current)
            yield current
        elif following in before.get(current, ()) or not _leads_back(following, before, in_calls, open_roots):
            open_roots[following] = _find_needed(following, before, in_calls)


def _find_needed(root: int, before: dict[int, set[int]], in_calls: dict[int, set[int]]) -> Iterator[int]:
    yield from sorted(before.get(root, ()))
    yield from sorted(in_calls.get(root, ()))


def _leads_back(
    root: int,
    before: dict[int, set[int]],
    in_calls: dict[int, set[int]],
    open_roots: dict[int, Iterator[int]],
) -> bool:
    # Names that a function reads must be bound only when it is called, so their units are moved forward only
    # if that does not create a cycle with units that must run first.
    seen, waiting = {root}, [root]
    while waiting:
        current = waiting.pop()
        for other in (before.get(current, set()) | in_calls.get(current, set())) - seen:
            if other in open_roots:
                return True
            seen.add(other)
            waiting.append(other)
    return False
