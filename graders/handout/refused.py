"""Why a handout is not made."""


class Refused(Exception):
    """It would be wrong or give something away. The text is for the instructor."""
