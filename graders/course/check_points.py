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
