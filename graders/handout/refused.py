"""The error that stops the making of a handout."""


class HandoutRefused(Exception):
    """The handout would be wrong or would give a solution away. The text is for the instructor."""
