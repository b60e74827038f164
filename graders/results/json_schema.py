"""Write frozen data as JSON that names its schema, and read it back."""

import functools
import json
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:  # importing it takes time, and many commands neither write nor read JSON
    import cattrs

T = TypeVar("T")


def to_json_text(value: Any) -> str:
    """The text: keys in a fixed order, one line per key, ends with a newline."""
    return json.dumps(_converter().unstructure(value), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def from_json_text(text: str, kind: type[T], schema: str) -> T:
    """The value in a text.

    Raises:
        ValueError: the text is not of this schema.
    """
    import cattrs

    data: Any = json.loads(text)
    if not isinstance(data, dict) or data.get("schema") != schema:
        raise ValueError(f"not of schema {schema}")
    try:
        return _converter().structure(data, kind)
    except cattrs.BaseValidationError as error:
        raise ValueError("; ".join(cattrs.transform_error(error))) from error


@functools.cache
def _converter() -> "cattrs.Converter":
    import cattrs

    converter = cattrs.Converter()
    # Keep each value's type: "nan" must not become a float again, nor 1 a string.
    converter.register_structure_hook(float | str, lambda value, _: value)
    converter.register_unstructure_hook(datetime, lambda at: at.isoformat())
    converter.register_structure_hook(datetime, _moment)
    return converter


def _moment(text: Any, _: type) -> datetime:
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError(f"{text} has no time zone")
    return at
