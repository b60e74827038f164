"""Gives its code another file's name and line, so that the report points somewhere else.

outcome: raised
"""


def concat_heads(x):
    raise ValueError("where was that?")


concat_heads.__code__ = concat_heads.__code__.replace(
    co_filename="/etc/passwd\n<script>softmark()</script>\ud800", co_firstlineno=2**31 - 1, co_name="\x1b[2J"
)
