"""How an exercise's points are divided among its checks."""


def share_of_points(points: float, for_speed: float, weight: float, whole: float) -> float:
    """The points of one check, kept to four digits.

    Args:
        points: those of the exercise.
        for_speed: how many of them are for speed, which no check shares.
        weight: of the check.
        whole: the sum of the weights of all the exercise's checks.
    """
    return round((points - for_speed) * weight / whole, 4)


IMPORTS = "imports_what_it_uses"  # a finding that no checks file has: what forgotten imports cost
_MOST_FOR_IMPORTS = 0.25  # of a submission
_SHARE_FOR_IMPORTS = 1 / 8  # of its exercise, at most


def points_for_imports(points: float) -> float:
    """What forgotten imports cost in an exercise of so many points; all checks lose it in proportion."""
    return min(_MOST_FOR_IMPORTS, _SHARE_FOR_IMPORTS * points)
