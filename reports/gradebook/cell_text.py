"""The text of a cell in a CSV file."""

# A spreadsheet takes a cell that begins with one of these for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def escape_formula(text: str) -> str:
    """Quote text that a student may have chosen, so that no spreadsheet runs it as a formula."""
    # A program may skip control characters before it, as `lstrip` does.
    begins_formula = any(start.startswith(_FORMULA) for start in (text.lstrip(" "), text.lstrip()))
    return f"'{text}" if begins_formula else text


def rounded_number(value: float | None) -> int | float | str:
    """A number with at most two decimals, an integer where it has none; empty for None."""
    if value is None:
        return ""
    rounded = round(float(value), 2)
    return int(rounded) if rounded.is_integer() else rounded


def format_grade(value: float, comma: bool = False) -> str:
    """A grade for a platform: with at most two decimals."""
    text = str(rounded_number(value))
    return text.replace(".", ",") if comma else text
