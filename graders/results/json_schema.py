"""Write frozen data as JSON that names its schema, and read it back."""

import json
from typing import Any, TypeVar

import cattrs

T = TypeVar("T")


def to_json_text(converter: cattrs.Converter, value: Any) -> str:
    """The text: keys in a fixed order, one line per key, ends with a newline."""
    return json.dumps(converter.unstructure(value), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def from_json_text(converter: cattrs.Converter, text: str, kind: type[T], schema: str) -> T:
    """The value in a text.

    Raises:
        ValueError: the text is not of this schema.
    """
    data: Any = json.loads(text)
    if not isinstance(data, dict) or data.get("schema") != schema:
        raise ValueError(f"not of schema {schema}")
    try:
        return converter.structure(data, kind)
    except cattrs.BaseValidationError as error:
        raise ValueError("; ".join(cattrs.transform_error(error))) from error
