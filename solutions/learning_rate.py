"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint.

A mistake gives the reference another part, and what it is given itself goes before.
"""

import math

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
WHOLE = ("multiplier",)
SMALL = ("zero_at_the_end", "no_least_of_0", "divides_by_no_warmup", "in_a_list")


def rising(step, warmup, peak, least):
    return peak * step / warmup


def share(step, max_iters, warmup):
    return (step - warmup) / (max_iters - warmup)


def between(x, peak, least):
    return least + (peak - least) * (1 + math.cos(math.pi * x)) / 2


def at_the_end(x, peak, least):
    return least


def lr_at(step, max_iters, warmup, peak, least, rise=rising, place=share, fall=between, end=at_the_end):
    if step < warmup:
        return rise(step, warmup, peak, least)
    x = place(step, max_iters, warmup)
    return end(x, peak, least) if step >= max_iters else fall(x, peak, least)


def lr_at__one_step_ahead(step, max_iters, warmup, peak, least, **parts):
    """The warm-up is one step ahead: its first step has a rate already. Here the rate is 0 at step 0 and
    the peak at step warmup.

    fr: La montée a un pas d'avance : son premier pas a déjà un taux. Ici, le taux vaut 0 au pas 0 et peak
    au pas warmup.
    """
    rise = lambda step, warmup, peak, least: peak * (step + 1) / warmup  # noqa: E731
    return lr_at(step, max_iters, warmup, peak, least, **{"rise": rise, **parts})


def lr_at__never_zero(step, max_iters, warmup, peak, least, **parts):
    """The warm-up takes (step + 1) / (warmup + 1), as nanoGPT does, so that the first step is not lost.
    This contract takes step / warmup, as transformers does: 0 at step 0.

    fr: La montée prend (step + 1) / (warmup + 1), comme nanoGPT, pour que le premier pas ne soit pas perdu.
    Ce contrat prend step / warmup, comme transformers : 0 au pas 0.
    """
    rise = lambda step, warmup, peak, least: peak * (step + 1) / (warmup + 1)  # noqa: E731
    return lr_at(step, max_iters, warmup, peak, least, **{"rise": rise, **parts})


def lr_at__step_0_as_step_1(step, max_iters, warmup, peak, least, **parts):
    """Step 0 has the rate of step 1, so that it is not lost; all later steps are right. Here the rate is 0 at
    step 0, and the warm-up needs no case of its own for it.

    fr: Le pas 0 a le taux du pas 1, pour ne pas être perdu ; tous les suivants sont justes. Ici, le taux vaut
    0 au pas 0, et la montée ne demande pas d'exception pour lui.
    """
    rise = lambda step, warmup, peak, least: peak * max(1, step) / warmup  # noqa: E731
    return lr_at(step, max_iters, warmup, peak, least, **{"rise": rise, **parts})


def lr_at__rises_from_the_least(step, max_iters, warmup, peak, least, **parts):
    """The warm-up begins at the least rate. It begins at 0: least is where the cosine ends.

    fr: La montée part du plus petit taux. Elle part de 0 : least est là où finit le cosinus.
    """
    rise = lambda step, warmup, peak, least: least + (peak - least) * step / warmup  # noqa: E731
    return lr_at(step, max_iters, warmup, peak, least, **{"rise": rise, **parts})


def lr_at__whole_division(step, max_iters, warmup, peak, least, **parts):
    """The warm-up stays at 0 till its end: step // warmup is a whole number. Look at the division.

    fr: La montée reste à 0 jusqu'à sa fin : step // warmup est un entier. Regardez la division.
    """
    rise = lambda step, warmup, peak, least: peak * (step // warmup)  # noqa: E731
    return lr_at(step, max_iters, warmup, peak, least, **{"rise": rise, **parts})


def lr_at__no_warmup(step, max_iters, warmup, peak, least, **parts):
    """There is no warm-up: the rate is the peak at step 0, and falls from there. Where does warmup go?

    fr: Il n'y a pas de montée : le taux vaut peak au pas 0, et descend. Où va warmup ?
    """
    return lr_at(step, max_iters, 0, peak, least, **parts)


def lr_at__cosine_over_all_steps(step, max_iters, warmup, peak, least, **parts):
    """The cosine is that of step / max_iters, and the rate jumps where the warm-up ends. It begins there: x
    is 0 at step warmup.

    fr: Le cosinus est celui de step / max_iters, et le taux saute là où finit la montée. Il commence là : x
    vaut 0 au pas warmup.
    """
    place = lambda step, max_iters, warmup: step / max_iters  # noqa: E731
    return lr_at(step, max_iters, warmup, peak, least, **{"place": place, **parts})


def lr_at__too_long_a_cosine(step, max_iters, warmup, peak, least, **parts):
    """The steps behind the warm-up are divided by max_iters, so that the least is never reached. How many
    steps lie behind the warm-up?

    fr: Les pas qui suivent la montée sont divisés par max_iters, si bien que le plus petit taux n'est
    jamais atteint. Combien de pas suivent la montée ?
    """
    place = lambda step, max_iters, warmup: (step - warmup) / max_iters  # noqa: E731
    return lr_at(step, max_iters, warmup, peak, least, **{"place": place, **parts})


def lr_at__least_one_step_early(step, max_iters, warmup, peak, least, **parts):
    """The least is reached one step early, at the last of max_iters steps. Here x is 1 at max_iters itself.

    fr: Le plus petit taux est atteint un pas trop tôt, au dernier des max_iters pas. Ici, x vaut 1 à
    max_iters même.
    """
    place = lambda step, max_iters, warmup: (step - warmup) / max(1, max_iters - 1 - warmup)  # noqa: E731
    return lr_at(step, max_iters, warmup, peak, least, **{"place": place, **parts})


def lr_at__degrees(step, max_iters, warmup, peak, least, **parts):
    """The cosine is that of 180 x, as if angles were in degrees. math.cos takes radians.

    fr: Le cosinus est celui de 180 x, comme si les angles étaient en degrés. math.cos prend des radians.
    """
    fall = lambda x, peak, least: least + (peak - least) * (1 + math.cos(180 * x)) / 2  # noqa: E731
    return lr_at(step, max_iters, warmup, peak, least, **{"fall": fall, **parts})


def lr_at__without_half(step, max_iters, warmup, peak, least, **parts):
    """The rate begins far above the peak: 1 + cos goes from 2 to 0. Look for the division by 2.

    fr: Le taux part bien au-dessus de peak : 1 + cos va de 2 à 0. Cherchez la division par 2.
    """
    fall = lambda x, peak, least: least + (peak - least) * (1 + math.cos(math.pi * x))  # noqa: E731
    return lr_at(step, max_iters, warmup, peak, least, **{"fall": fall, **parts})


def lr_at__quarter_of_a_wave(step, max_iters, warmup, peak, least, **parts):
    """The cosine goes over a quarter of a wave, from 1 to 0, and falls slowly first and steeply at the end.
    Half a wave is due, which is flat at both ends.

    fr: Le cosinus parcourt un quart d'onde, de 1 à 0 : il descend lentement d'abord, et abruptement à la
    fin. C'est une demi-onde qui est due, plate aux deux bouts.
    """
    fall = lambda x, peak, least: least + (peak - least) * math.cos(math.pi / 2 * x)  # noqa: E731
    return lr_at(step, max_iters, warmup, peak, least, **{"fall": fall, **parts})


def lr_at__whole_wave(step, max_iters, warmup, peak, least, **parts):
    """The cosine goes over a whole wave, and rises again from the middle on. Half a wave is due.

    fr: Le cosinus parcourt une onde entière, et remonte à partir du milieu. C'est une demi-onde qui est due.
    """
    fall = lambda x, peak, least: between(2 * x, peak, least)  # noqa: E731
    return lr_at(step, max_iters, warmup, peak, least, **{"fall": fall, **parts})


def lr_at__upside_down(step, max_iters, warmup, peak, least, **parts):
    """The rate rises from the least to the peak behind the warm-up. Look at the sign of the cosine.

    fr: Après la montée, le taux monte de least à peak. Regardez le signe du cosinus.
    """
    fall = lambda x, peak, least: between(1 - x, peak, least)  # noqa: E731
    return lr_at(step, max_iters, warmup, peak, least, **{"fall": fall, **parts})


def lr_at__straight(step, max_iters, warmup, peak, least, **parts):
    """The rate falls along a straight line. Half a cosine is due.

    fr: Le taux descend le long d'une droite. C'est un demi-cosinus qui est dû.
    """
    fall = lambda x, peak, least: peak + (least - peak) * x  # noqa: E731
    return lr_at(step, max_iters, warmup, peak, least, **{"fall": fall, **parts})


def lr_at__falls_to_zero(step, max_iters, warmup, peak, least, **parts):
    """The cosine falls to 0, not to the least. What is it that shrinks from the peak to the least?

    fr: Le cosinus descend jusqu'à 0 et non jusqu'à least. Qu'est-ce qui diminue de peak à least ?
    """
    fall = lambda x, peak, least: between(x, peak, 0)  # noqa: E731
    return lr_at(step, max_iters, warmup, peak, least, **{"fall": fall, **parts})


def lr_at__cut_at_the_least(step, max_iters, warmup, peak, least, **parts):
    """The cosine falls to 0 and is cut at the least, where it stays for the last steps. It should reach the
    least at max_iters alone.

    fr: Le cosinus descend jusqu'à 0 et est coupé à least, où il reste les derniers pas. Il ne doit
    atteindre least qu'à max_iters.
    """
    fall = lambda x, peak, least: max(least, between(x, peak, 0))  # noqa: E731
    return lr_at(step, max_iters, warmup, peak, least, **{"fall": fall, **parts})


def lr_at__least_on_top(step, max_iters, warmup, peak, least, **parts):
    """The least is added to the whole cosine, which then begins above the peak. It is peak - least that
    shrinks.

    fr: least s'ajoute au cosinus entier, qui commence alors au-dessus de peak. C'est peak - least qui
    diminue.
    """
    fall = lambda x, peak, least: least + between(x, peak, 0)  # noqa: E731
    return lr_at(step, max_iters, warmup, peak, least, **{"fall": fall, **parts})


def lr_at__rises_again(step, max_iters, warmup, peak, least, **parts):
    """Behind max_iters the cosine goes on, and the rate rises again. Look at what happens from max_iters on.

    fr: Après max_iters, le cosinus continue, et le taux remonte. Regardez ce qui se passe à partir de
    max_iters.
    """
    end = parts.get("fall", between)
    return lr_at(step, max_iters, warmup, peak, least, **{"end": end, **parts})


def lr_at__zero_at_the_end(step, max_iters, warmup, peak, least, **parts):
    """From max_iters on the rate is 0. It stays at the least.

    fr: À partir de max_iters, le taux vaut 0. Il reste à least.
    """
    return lr_at(step, max_iters, warmup, peak, least, **{"end": lambda *_: 0.0, **parts})


def lr_at__peak_at_the_end(step, max_iters, warmup, peak, least, **parts):
    """From max_iters on the rate is the peak. It stays at the least.

    fr: À partir de max_iters, le taux vaut peak. Il reste à least.
    """
    return lr_at(step, max_iters, warmup, peak, least, **{"end": lambda x, peak, least: peak, **parts})


def lr_at__no_least_of_0(step, max_iters, warmup, peak, least, **parts):
    """A least of 0 is taken for none at all, and a tenth of the peak stands in its place. 0 is a rate as any
    other: what is false is not always missing.

    fr: Un least de 0 est pris pour absent, et un dixième de peak le remplace. 0 est un taux comme un autre :
    ce qui vaut faux ne manque pas toujours.
    """
    return lr_at(step, max_iters, warmup, peak, least or peak / 10, **parts)


def lr_at__divides_by_no_warmup(step, max_iters, warmup, peak, least, **parts):
    """Without a warm-up, 0 is divided by 0. Look at which case comes first.

    fr: Sans montée, 0 est divisé par 0. Regardez quel cas vient en premier.
    """
    if step <= warmup:
        return parts.get("rise", rising)(step, warmup, peak, least)
    return lr_at(step, max_iters, warmup, peak, least, **parts)


def lr_at__multiplier(step, max_iters, warmup, peak, least, **parts):
    """What comes back is a multiplier, 1 at the peak, as for a LambdaLR. The learning rate itself is due.

    fr: Ce qui est renvoyé est un facteur, 1 au sommet, comme pour un LambdaLR. C'est le taux lui-même qui
    est dû.
    """
    return lr_at(step, max_iters, warmup, peak, least, **parts) / peak


def lr_at__both_at_once(step, max_iters, warmup, peak, least, **parts):
    """Warm-up and cosine are multiplied, and the cosine begins at step 0. One follows the other.

    fr: La montée et le cosinus sont multipliés, et le cosinus commence au pas 0. L'un suit l'autre.
    """
    whole = lr_at(step, max_iters, 0, peak, least, **parts)
    return whole * step / warmup if step < warmup else whole


def lr_at__in_a_list(step, max_iters, warmup, peak, least, **parts):
    """The rate comes back in a list, as get_last_lr gives it for groups of parameters. One number is due.

    fr: Le taux est renvoyé dans une liste, comme get_last_lr le donne pour des groupes de paramètres. Un
    seul nombre est dû.
    """
    return [lr_at(step, max_iters, warmup, peak, least, **parts)]
