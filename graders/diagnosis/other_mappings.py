"""Other ways to match a wrong module's parameters than the likeliest, where gradients have told little.

In wrong code a norm's gradient says little of which norm it is, and a bias's little of which layer it is in.
"""

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from graders.candidate.parameter_mapping.layouts import LAYOUTS
from graders.candidate.parameter_mapping.mapper import has_all_by_name
from graders.candidate.parameter_mapping.mapping import LAYER, ParameterMapping, ParameterRule, Shapes
from graders.candidate.parameter_mapping.names import name_of_layer, says_gain

WEIGHT, BIAS = "weight", "bias"
QUERY, KEY, VALUE = ("query", "W_q"), ("key", "W_k"), ("value", "W_v")  # the reference's layers
GATES = {"gate": ("linear1", "fc1"), "gate_proj": ("up_proj",)}  # and the layers that they multiply
USUAL_ORDER = (QUERY, KEY, VALUE)  # in one parameter
ONE_BELOW_THE_OTHER, HEAD_BY_HEAD = "one below the other", "interleaved, head by head"
FUSED = (ONE_BELOW_THE_OTHER, HEAD_BY_HEAD, "interleaved, row by row")  # layouts of one shape


def likely_mappings(mapping: ParameterMapping) -> Iterator[ParameterMapping]:
    """The mapping with each bias in the layer of its weight; then with its norms in other orders.

    These are the order in which the parameters stand, and two exchanged, for each two. A gate and the layer
    that it multiplies are exchanged too, with the norms as they are and as they stand.
    """
    settled = _with_biases_of_their_layers(_with_parts_together(mapping))
    gains = [rule.sources[0].removesuffix(WEIGHT) for rule in settled.rules if _is_gain(rule)]
    groups = [[gain for gain in gains if (LAYER in gain) is in_layer] for in_layer in (False, True)]
    as_they_stand = {gain: due for group in groups for gain, due in zip(group, sorted(group), strict=True)}
    exchanged = ({a: b, b: a} for group in groups for a, b in itertools.combinations(group, 2))
    gates = _gates(settled)
    with_gates: list[dict[str, str]] = [gates, as_they_stand | gates] if gates else []
    orders = ({}, as_they_stand, *with_gates, *exchanged)
    yield from dict.fromkeys(_with_other_layers(settled, order) for order in orders)


def without_vectors_too_many(shapes: Shapes, due: Shapes) -> ParameterMapping | None:
    """The mapping by name of a module that has all of the reference's parameters, and those of a norm more.

    What the norm has changes nothing: its gain is one, its bias zero. None where the module has no such norm.
    """
    more = {name: shape for name, shape in shapes.items() if name not in due}
    if not more or not has_all_by_name(shapes, due) or any(len(shape) > 1 for shape in more.values()):
        return None
    rules = tuple(ParameterRule(name, (name,), LAYOUTS[1][0]) for name in due)
    return ParameterMapping(rules, extra=tuple(more), ones=tuple(name for name in more if says_gain(name)))


def _gates(mapping: ParameterMapping) -> dict[str, str]:
    """For each gate of the reference's the layer that it multiplies, and for that the gate."""
    layers = {source.rpartition(".")[0] for rule in mapping.rules for source in rule.sources}
    exchanged: dict[str, str] = {}
    for gate in sorted(layer for layer in layers if layer.rpartition(".")[2] in GATES):
        name = gate.rpartition(".")[2]
        for first in GATES[name]:
            other = f"{gate.removesuffix(name)}{first}"
            if other in layers:
                exchanged |= {f"{gate}.": f"{other}.", f"{other}.": f"{gate}."}
    return exchanged


def _with_parts_together(mapping: ParameterMapping) -> ParameterMapping:
    """The mapping with the layers of one module of the code in one part of the reference's.

    Where two parts have the same layers, as two attentions have, gradients may tell layers of one for those
    of the other. Most of a module's layers decide.
    """
    layers: dict[str, set[str]] = {}
    for source in (source for rule in mapping.rules for source in rule.sources):
        part, layer = _part_and_layer(source)
        layers.setdefault(part, set()).add(layer)
    alike = {part for part in layers if part and list(layers.values()).count(layers[part]) > 1}
    votes: dict[str, Counter[str]] = {}
    for rule in mapping.rules:
        parts = {_part_and_layer(source)[0] for source in rule.sources}
        if parts <= alike:
            votes.setdefault(_part_and_layer(rule.name)[0], Counter()).update(parts)
    rules = []
    for rule in mapping.rules:
        counted = votes.get(_part_and_layer(rule.name)[0])
        if counted and {_part_and_layer(source)[0] for source in rule.sources} <= alike:
            most = counted.most_common(1)[0][0]
            rule = replace(rule, sources=tuple(f"{most}.{_part_and_layer(s)[1]}" for s in rule.sources))
        rules.append(rule)
    held, before = (sorted(s for r in each for s in r.sources) for each in (rules, mapping.rules))
    return _with_rules(mapping, rules) if held == before else mapping


def _part_and_layer(name: str) -> tuple[str, str]:
    """The module of a layer's parameter, and the layer with its parameter: `attention`, `W_q.weight`."""
    words = name.split(".")
    return ".".join(words[:-2]), ".".join(words[-2:])


def _with_biases_of_their_layers(mapping: ParameterMapping) -> ParameterMapping:
    weights = [rule for rule in mapping.rules if rule.sources[0].endswith(WEIGHT)]
    rules = []
    for rule in mapping.rules:
        partner = _beside(rule, weights)
        if partner and rule.sources[0].endswith(BIAS) and len(partner.sources) == len(rule.sources):
            sources = tuple(source.removesuffix(WEIGHT) + BIAS for source in partner.sources)
            rule = replace(rule, sources=sources)
        rules.append(rule)
    return _with_rules(mapping, rules)


def _beside(bias: ParameterRule, weights: list[ParameterRule]) -> ParameterRule | None:
    """The weight of the layer of a bias; where its name does not say so, the only one of the same module."""
    named = [rule for rule in weights if name_of_layer(rule.name) == name_of_layer(bias.name)]
    module = bias.name.rpartition(".")[0]
    here = named or [rule for rule in weights if rule.name.rpartition(".")[0] == module]
    return here[0] if module and len(here) == 1 else None


def with_usual_fused_layers(mapping: ParameterMapping) -> Iterator[ParameterMapping]:
    """The mapping with queries, keys and values in this order where one parameter holds them, in two layouts.

    In wrong code gradients may tell another order.
    """
    settled = _with_biases_of_their_layers(mapping)
    for description in (ONE_BELOW_THE_OTHER, HEAD_BY_HEAD):
        rules = [_as_usual(rule, description) for rule in settled.rules]
        if rules != [*settled.rules]:
            yield _with_rules(settled, rules)


def _as_usual(rule: ParameterRule, description: str) -> ParameterRule:
    roles = [_role(source) for source in rule.sources]
    if len(roles) != len(USUAL_ORDER) or None in roles or rule.layout.description not in FUSED:
        return rule
    layout = next(layout for layout in LAYOUTS[len(roles)] if layout.description == description)
    return replace(rule, sources=tuple(sorted(rule.sources, key=lambda s: str(_role(s)))), layout=layout)


def _role(source: str) -> int | None:
    layer = source.rpartition(".")[0].rpartition(".")[2]  # none where the parameter is the module's own
    return next((number for number, names in enumerate(USUAL_ORDER) if layer in names), None)


def _with_other_layers(mapping: ParameterMapping, layers: Mapping[str, str]) -> ParameterMapping:
    """The mapping with these layers of the reference in the place of others."""
    names = {f"{before}{end}": f"{layer}{end}" for before, layer in layers.items() for end in (WEIGHT, BIAS)}
    changed = [
        replace(rule, sources=tuple(names.get(source, source) for source in rule.sources))
        for rule in mapping.rules
    ]
    return _with_rules(mapping, changed)


def _with_rules(mapping: ParameterMapping, rules: list[ParameterRule]) -> ParameterMapping:
    """The mapping with these rules instead; what none of them holds is absent."""
    before = {source for rule in mapping.rules for source in rule.sources} | set(mapping.absent)
    held = {source for rule in rules for source in rule.sources}
    return replace(mapping, rules=tuple(rules), absent=tuple(sorted(before - held)))


def _is_gain(rule: ParameterRule) -> bool:
    name = rule.sources[0]
    return len(rule.sources) == 1 and "norm" in name.lower() and name.endswith(WEIGHT)
