"""What may stand in a cell."""

# A spreadsheet takes a cell that begins so for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def harmless(text: str) -> str:
    """Text that a student may have chosen, so that no spreadsheet takes it for a formula."""
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA) else text


def number(value: float | None) -> int | float | str:
    """A number with at most two decimals, none where there are none; empty for None."""
    if value is None:
        return ""
    rounded = round(float(value), 2)
    return int(rounded) if rounded.is_integer() else rounded


def grade(value: float, comma: bool = False) -> str:
    """A grade as a platform reads it: with two decimals, or none."""
    text = str(number(value))
    return text.replace(".", ",") if comma else text
