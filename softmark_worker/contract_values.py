"""The contract's values by what they mean, and a configuration that answers with them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from softmark_worker.argument_roles import has_bare_heads, has_norm_first, is_causal, is_of_ends, role_of

LENGTH = 256  # positions, where the constructor asks for a maximum and the contract has none
BATCH = 130  # sequences, where the constructor asks for a maximum: as a cache of keys and values has
RATE = 0.1  # of dropout, where the constructor asks for it and the contract has none: eval mode turns it off
# For what the contract does not have at all.
_FILLERS: dict[str, Any] = {
    "bias": True,
    "batch_first": True,
    "batch_axis": 0,
    "device": "cpu",
    "dtype": None,
    "epsilon": 1e-5,
    "padding_index": 0,
    "start_index": 1,
    "length": LENGTH,
    "layer_index": 0,
    "flag": False,
    "flag_on": True,  # where the code does not run without
    "activation": "gelu",
    "rotary_base": 10_000.0,
    "multiple": 1,
    "no_factor": None,
    "labels": 2,  # as transformers' configurations have it: a start and an end
    "batch": BATCH,
}
# What a value follows from where the contract has no argument for it.
_FOLLOWS_FROM = {
    "head_width": ("width", "heads"),
    "heads": ("width",),
    "feed_forward": ("width",),
    "ratio": ("width",),
    "factor": ("width", "feed_forward"),
    "heads_width": ("heads", "head_width"),
    "axes": ("width",),  # in a list, as the shape of what a layer norm normalises
}
_KINDS = {"dropout": "rate", "epsilon": "rate", "norm_first": "flag", "causal": "flag", "bias": "flag"}
TEXT = "="  # begins the source of a text
Pairs = dict[str, str]  # the student's name -> the contract's name or a value; "" for what is not taken


class Roles:
    """The contract's values by what they mean.

    `order` has the contract's names, those without a value too, `defaults` its defaults, and `symbol` is its
    name for the class.
    """

    def __init__(
        self,
        given: Mapping[str, Any],
        order: Sequence[str],
        defaults: Mapping[str, Any] | None = None,
        symbol: str = "",
    ) -> None:
        self.fillers = _FILLERS | {
            "causal": is_causal(symbol),
            "bias": not has_bare_heads(symbol),
            "norm_first": has_norm_first(symbol),
        }
        self.symbol = symbol
        self.aliases: dict[str, str] = {}  # the student's names that mean something else than they say
        self.parts: dict[str, tuple[Any, str]] = {}  # modules among the arguments, and what each is made from
        self.read: frozenset[str] = frozenset()  # the names that the class reads of anything
        self.given = dict(given)
        self.order = list(order)
        self.defaults = dict(defaults or {})
        self.names: dict[str, str] = {}
        self._has_width = any(role_of(name) == "width" and not is_of_ends(name) for name in (*given, *order))
        for name in (*given, *order):
            if role := self._of_contract(name):  # a name without a meaning has no other names
                self.names.setdefault(role, name)

    def _of_contract(self, ours: str) -> str:
        """What one of the contract's names means: beside a width, a hidden one is that between two layers."""
        role = role_of(ours)
        return "feed_forward" if role == "hidden" and self._has_width else self._plain(role)

    def _plain(self, role: str | None) -> str:
        return "width" if role == "hidden" else role or ""

    def known_role(self, role: str | None) -> str | None:
        """The meaning where the contract has one width and one vocabulary: those of the encoder, too."""
        if role in self.names:
            return role
        return {"target_vocabulary": "vocabulary", "memory_width": "width"}.get(role or "", role)

    def role(self, ours: str) -> str | None:
        """What one of the contract's arguments means; None for one without a meaning."""
        return self._of_contract(ours) or None

    def kind(self, ours: str) -> str:
        """Whether one of the contract's arguments is a size, a rate, a flag, or something else."""
        value = self.defaults.get(ours)
        if value is None:
            role, value = role_of(ours), self.given.get(ours)
            if role in _KINDS:
                return _KINDS[role]
        return {bool: "flag", float: "rate", int: "size", type(None): "size"}.get(type(value), "other")

    def derived(self, role: str) -> frozenset[str] | None:
        """The contract's arguments that a value follows from; None where none follows from any."""
        needed = _FOLLOWS_FROM.get(role, ())
        if role == "head_width" and "heads" not in self.names:
            needed = ("width",)  # of an attention with one head
        missing = role not in self.names and all(part in self.names for part in needed)
        if role == "heads" and "head_width" in self.names:
            return None
        if missing and (needed or role in self.fillers or role == "dropout"):
            used = {"ratio": ("feed_forward",), "heads": ()}.get(role, needed)
            return frozenset(self.names[part] for part in used if part in self.names)
        return None

    def value_of(self, source: str) -> tuple[bool, Any, str]:
        """Whether there is a value for a source of an assignment, the value, and where it comes from."""
        if source in self.parts:
            return True, *self.parts[source]
        if source.startswith("*"):
            return self._derive(source[1:])
        if source.startswith(TEXT):
            return True, source[1:], repr(source[1:])
        return source in self.given, self.given.get(source), source

    def value_due(self, source: str) -> tuple[bool, Any, str]:
        """The same where a value is due that is left out this time: the contract's default."""
        if self.given and type(self.defaults.get(source)) is int:
            return True, self.defaults[source], source
        if self.is_none(source):
            return True, None, source
        role = self.role(source) or ""
        return self._derive(role) if role in self.fillers or role == "dropout" else (False, None, "")

    def hidden_is_width(self, name: str) -> bool:
        """Whether a hidden width of a configuration is the model's, by what else the class reads of it."""
        meanings = {role_of(read) for read in self.read}
        if "width" in meanings or "feed_forward" in meanings:
            return "feed_forward" in meanings or name == "hidden_size"
        return name != "hidden_dim"

    def find(self, name: str, hidden_is_width: bool) -> tuple[bool, Any, str]:
        """For a student's name: whether there is a value, the value, and where it comes from."""
        if name in self.parts:
            return True, *self.parts[name]
        if name in self.given:
            return True, self.given[name], name
        role = self.known_role(self.aliases.get(name) or role_of(name))
        if role == "hidden":
            role = "width" if hidden_is_width or "feed_forward" not in self.names else "feed_forward"
        ours = self.names.get(role or "")
        if ours is not None and ours in self.given:
            return True, self.given[ours], ours
        if ours is not None and self.given and type(self.defaults.get(ours)) is int:
            return True, self.defaults[ours], ours
        derived = ours is None or role in self.fillers or role == "dropout"
        return self._derive(role) if derived else (False, None, "")

    def is_none(self, name: str) -> bool:
        """Whether the contract's default is None for the argument of this name, or of its meaning."""
        ours = name if name in self.order else self.names.get(self._plain(role_of(name)), name)
        return ours in self.defaults and self.defaults[ours] is None

    def leaves_out(self, name: str) -> bool:
        """Whether the contract has the name, or one of its meaning, but no value this time."""
        return name in self.order or self._plain(role_of(name)) in self.names

    def usual_feed_forward(self) -> tuple[bool, Any, str]:
        """The inner width of a feed-forward network where none is given, as `find` tells a value."""
        return self._derive("feed_forward")

    def _derive(self, role: str | None) -> tuple[bool, Any, str]:
        """A value that follows from the others, or one for what the contract does not have."""
        width, heads, wide = (self._value(r) for r in ("width", "heads", "feed_forward"))
        if role == "head_width" and width and heads:
            return True, width // heads, f"{self.names['width']} // {self.names['heads']}"
        if role == "head_width" and width and "heads" not in self.names:
            return True, width, self.names["width"]
        if role == "heads_width":
            each, names = self._value("head_width"), (self.names.get("heads"), self.names.get("head_width"))
            return bool(heads and each), (heads or 0) * (each or 0), " * ".join(filter(None, names))
        if role == "axes" and width:
            return True, [width], f"[{self.names['width']}]"
        if role == "heads" and width and "head_width" not in self.names:
            return True, 1, "1"  # of an attention with one head
        if role == "feed_forward" and width:
            return True, 4 * width, f"4 * {self.names['width']}"
        if role == "ratio" and width:
            if not wide:
                return True, 4, "4"
            ratio = _Ratio(wide / width) if wide % width else wide // width
            return True, ratio, f"{self.names['feed_forward']} / {self.names['width']}"
        if role == "factor" and width and wide:
            return True, _Factor(wide, width), f"{self.names['feed_forward']} / {self.names['width']}"
        if role == "dropout":
            rate = self.defaults.get(self.names[role], 0.0) if role in self.names else RATE
            return True, rate, str(rate)
        if role in self.fillers:
            return True, self.fillers[role], str(self.fillers[role])
        return False, None, ""

    def _value(self, role: str) -> int | None:
        value = self.given.get(self.names.get(role, ""))
        return value if isinstance(value, int) else None


class _Ratio(float):
    """A ratio of two whole numbers: times the second it is the first, as an int."""

    def __mul__(self, other: Any) -> Any:
        return round(float(self) * other)

    __rmul__ = __mul__


class _Factor(float):
    """What makes of an inner width, such as 2/3 of 4 * dim, the one that is due, whatever it is."""

    def __new__(cls, due: int, width: int) -> "_Factor":
        """`due`: the inner width; `width`: what it is told as a share of."""
        made = super().__new__(cls, due / width)
        made.due = due
        return made

    due: int

    def __mul__(self, _other: Any) -> Any:
        return self.due

    __rmul__ = __mul__


class Configuration(dict[str, Any]):
    """An object that answers to the names that a constructor reads of it, as attributes and as keys."""

    def __init__(
        self,
        roles: Roles,
        name: str,
        pairs: Pairs,
        chosen: Mapping[str, str] | None = None,
        groups: Sequence[str] = (),
    ) -> None:
        super().__init__(roles.given)
        self.__groups = frozenset(groups)  # the fields that are configurations, whatever their names mean
        self.__roles, self.__own_name, self.__pairs = roles, name, pairs
        self.__chosen = dict(chosen or {})  # the fields whose source is known, with it
        self.left_out: list[Exception] = []  # of what None was given for, which the code may not take
        self.__option: Callable[[str], Any] | None = None

    def allow_options(self) -> None:
        """From now on answer None for what the contract does not have: an option of the author's own."""
        self.__option = lambda _read: None

    def allow_values(self, values: Mapping[str, str]) -> None:
        """From now on answer with these values, by the fields' names, for what the contract does not have."""
        self.__option = lambda read: values.get(read.rpartition(".")[2])

    def allow_groups(self) -> None:
        """From now on what the contract does not have is a configuration too: `config.model.width`."""
        self.__option = self.__group

    def __bool__(self) -> bool:
        return "." not in self.__own_name  # an option that is no group is off

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self.__read(name, f".{name}", AttributeError)

    def __getitem__(self, name: str) -> Any:
        return self.__read(name, f"['{name}']", KeyError)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.__find(name)[0]

    def get(self, name: str, default: Any = None) -> Any:
        """The value by its meaning, or the default."""
        return self[name] if self.__find(name)[0] else default

    def __find(self, name: str) -> tuple[bool, Any, str]:
        if name in self.__chosen:
            found = self.__roles.value_of(self.__chosen[name])
            if found[0]:
                return found
        return self.__roles.find(name, self.__roles.hidden_is_width(name))

    def __read(self, name: str, shown: str, error: type[Exception]) -> Any:
        read = f"{self.__own_name}{shown}"
        if name in self.__groups:
            return self.__group(read)
        has_value, value, source = self.__find(name)
        if has_value:
            self.__pairs[read] = source
            return value
        if self.__roles.leaves_out(name):
            left_out = error({"says": "configuration_leaves_out", "name": read})
            if not self.__roles.is_none(name):
                raise left_out
            self.left_out.append(left_out)
            return None
        if self.__option is None:
            wanted = ", ".join(self.__roles.order)
            raise error({"says": "configuration_lacks", "name": read, "wanted": wanted})
        option = self.__option(read)
        if not isinstance(option, Configuration):
            self.__pairs[read] = repr(option)
        return option

    def __group(self, read: str) -> "Configuration":
        group = Configuration(self.__roles, read, self.__pairs)
        group.allow_groups()
        return group
