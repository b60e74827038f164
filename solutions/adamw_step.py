"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint.

A mistake gives the reference another part, and what it is given itself goes before.
"""

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
HALF = ("ascends", "square_of_the_average", "no_root")
SMALL = ("fused", "decay_afterwards", "changes_the_gradient", "gives_corrected_averages")

USUAL = (0.9, 0.999), 1e-8, 0.01


def averages(g, m, v, betas):
    return betas[0] * m + (1 - betas[0]) * g, betas[1] * v + (1 - betas[1]) * g * g


def corrected(m, v, t, betas):
    return m / (1 - betas[0] ** t), v / (1 - betas[1] ** t)


def direction(m, v, eps):
    return m / (v.sqrt() + eps)


def decayed(p, lr, weight_decay):
    return p - lr * weight_decay * p


def moved(p, step, lr):
    return p - lr * step


def adamw_step(
    p,
    g,
    m,
    v,
    t,
    lr,
    betas=(0.9, 0.999),
    eps=1e-8,
    weight_decay=0.01,
    average=averages,
    correct=corrected,
    divide=direction,
    decay=decayed,
    move=moved,
):
    p = decay(p, lr, weight_decay)
    m, v = average(g, m, v, betas)
    return move(p, divide(*correct(m, v, t, betas), eps), lr), m, v


def _with(given, options, parts, **own):
    """The reference's answer with parts of one's own, for arguments after v and for parts that were given."""
    return adamw_step(*given, *options, *USUAL[len(options) :], **{**own, **parts})


def adamw_step__penalty_in_the_gradient(p, g, m, v, t, lr, *options, **parts):
    """The decay is added to the gradient, and goes through both averages: that is Adam with a penalty. In
    AdamW it is taken from the parameter itself.

    fr: La décroissance est ajoutée au gradient, et passe par les deux moyennes : c'est Adam avec une
    pénalité. Dans AdamW, elle est retirée au paramètre lui-même.
    """
    betas, eps, weight_decay = (*options, *USUAL[len(options) :])
    return _with((p, g + weight_decay * p, m, v, t, lr), (betas, eps, 0.0), parts)


def adamw_step__no_decay(p, g, m, v, t, lr, *options, **parts):
    """The weights do not decay: this is Adam. Where does weight_decay go?

    fr: Les poids ne décroissent pas : c'est Adam. Où va weight_decay ?
    """
    return _with((p, g, m, v, t, lr), options, parts, decay=lambda p, lr, rate: p)


def adamw_step__decay_without_the_rate(p, g, m, v, t, lr, *options, **parts):
    """The decay is not multiplied by the learning rate. Look at what both terms are multiplied by.

    fr: La décroissance n'est pas multipliée par le taux d'apprentissage. Regardez par quoi les deux termes
    sont multipliés.
    """
    return _with((p, g, m, v, t, lr), options, parts, decay=lambda p, lr, rate: p - rate * p)


def adamw_step__decay_afterwards(p, g, m, v, t, lr, *options, **parts):
    """The parameter decays after the step, as it is then. Some courses write it so; PyTorch and this
    contract let the parameter decay as it was before. Both differ by lr squared times the decay.

    fr: Le paramètre décroît après le pas, tel qu'il est alors. Certains cours l'écrivent ainsi ; PyTorch et
    ce contrat font décroître le paramètre tel qu'il était avant. Les deux diffèrent de lr au carré fois la
    décroissance.
    """
    _, _, weight_decay = (*options, *USUAL[len(options) :])
    p, m, v = _with((p, g, m, v, t, lr), options, parts, decay=lambda p, lr, rate: p)
    return parts.get("decay", decayed)(p, lr, weight_decay), m, v


def adamw_step__grows(p, g, m, v, t, lr, *options, **parts):
    """The weights grow by what they should lose. Look at the sign of the decay.

    fr: Les poids augmentent de ce qu'ils devraient perdre. Regardez le signe de la décroissance.
    """
    return _with((p, g, m, v, t, lr), options, parts, decay=lambda p, lr, rate: p + lr * rate * p)


def adamw_step__no_correction(p, g, m, v, t, lr, *options, **parts):
    """The averages are not corrected for having begun at zero. Look at m_hat and v_hat.

    fr: Les moyennes ne sont pas corrigées d'être parties de zéro. Regardez m_hat et v_hat.
    """
    return _with((p, g, m, v, t, lr), options, parts, correct=lambda m, v, t, betas: (m, v))


def adamw_step__corrects_one_average(p, g, m, v, t, lr, *options, **parts):
    """The average of the gradients is corrected, and that of their squares is not. Both began at zero.

    fr: La moyenne des gradients est corrigée, et celle de leurs carrés ne l'est pas. Toutes deux sont
    parties de zéro.
    """
    correct = lambda m, v, t, betas: (m / (1 - betas[0] ** t), v)  # noqa: E731
    return _with((p, g, m, v, t, lr), options, parts, correct=correct)


def adamw_step__corrects_the_squares_alone(p, g, m, v, t, lr, *options, **parts):
    """The average of the squares is corrected, and that of the gradients is not. Both began at zero.

    fr: La moyenne des carrés est corrigée, et celle des gradients ne l'est pas. Toutes deux sont parties de
    zéro.
    """
    correct = lambda m, v, t, betas: (m, v / (1 - betas[1] ** t))  # noqa: E731
    return _with((p, g, m, v, t, lr), options, parts, correct=correct)


def adamw_step__counts_one_more(p, g, m, v, t, lr, *options, **parts):
    """The correction takes the next step's number. t is that of this step already: 1 for the first.

    fr: La correction prend le numéro du pas suivant. t est déjà celui de ce pas : 1 pour le premier.
    """
    return _with((p, g, m, v, t + 1, lr), options, parts)


def adamw_step__counts_from_zero(p, g, m, v, t, lr, *options, **parts):
    """The correction takes the number of the step before: at the first step it divides by 0. t is 1 there
    already.

    fr: La correction prend le numéro du pas précédent : au premier pas, elle divise par 0. t y vaut déjà 1.
    """

    def correct(m, v, t, betas):
        return m / (1 - m.new_tensor(betas[0]) ** (t - 1)), v / (1 - v.new_tensor(betas[1]) ** (t - 1))

    return _with((p, g, m, v, t, lr), options, parts, correct=correct)


def adamw_step__times_the_step(p, g, m, v, t, lr, *options, **parts):
    """The betas are multiplied by t in the correction. They are raised to the power of t.

    fr: Les betas sont multipliés par t dans la correction. Ils y sont à la puissance t.
    """
    correct = lambda m, v, t, betas: (m / (1 - betas[0]) / t, v / (1 - betas[1]) / t)  # noqa: E731
    return _with((p, g, m, v, t, lr), options, parts, correct=correct)


def adamw_step__eps_under_the_root(p, g, m, v, t, lr, *options, **parts):
    """The epsilon is added under the root. It is added to the root.

    fr: L'epsilon est ajouté sous la racine. Il s'ajoute à la racine.
    """
    return _with((p, g, m, v, t, lr), options, parts, divide=lambda m, v, eps: m / (v + eps).sqrt())


def adamw_step__fused(p, g, m, v, t, lr, *options, **parts):
    """Both corrections are taken into the learning rate, so that the epsilon is added to the root of v and
    not of v_hat. Some libraries did that; here eps is added after the correction.

    fr: Les deux corrections sont mises dans le taux d'apprentissage, si bien que l'epsilon s'ajoute à la
    racine de v et non de v_hat. Certaines bibliothèques l'ont fait ; ici, eps s'ajoute après la correction.
    """
    betas, eps, weight_decay = (*options, *USUAL[len(options) :])
    smaller = eps / (1 - betas[1] ** t) ** 0.5
    return _with((p, g, m, v, t, lr), (betas, smaller, weight_decay), parts)


def adamw_step__without_eps(p, g, m, v, t, lr, *options, **parts):
    """There is no epsilon: where no gradient has ever come, 0 is divided by 0.

    fr: Il n'y a pas d'epsilon : là où aucun gradient n'est jamais venu, 0 est divisé par 0.
    """
    return _with((p, g, m, v, t, lr), options, parts, divide=lambda m, v, eps: m / v.sqrt())


def adamw_step__no_root(p, g, m, v, t, lr, *options, **parts):
    """The step is divided by the average of the squares itself. Look for the root.

    fr: Le pas est divisé par la moyenne des carrés elle-même. Cherchez la racine.
    """
    return _with((p, g, m, v, t, lr), options, parts, divide=lambda m, v, eps: m / (v + eps))


def adamw_step__gradient_not_squared(p, g, m, v, t, lr, *options, **parts):
    """The second average takes the gradient itself and not its square, and the root of a negative number is
    NaN.

    fr: La seconde moyenne prend le gradient lui-même et non son carré, et la racine d'un nombre négatif
    vaut NaN.
    """

    def average(g, m, v, betas):
        return averages(g, m, v, betas)[0], betas[1] * v + (1 - betas[1]) * g

    return _with((p, g, m, v, t, lr), options, parts, average=average)


def adamw_step__square_of_the_average(p, g, m, v, t, lr, *options, **parts):
    """The second average takes the square of the first one, the new m. It is the average of the squares of
    the gradients.

    fr: La seconde moyenne prend le carré de la première, le nouveau m. C'est la moyenne des carrés des
    gradients.
    """

    def average(g, m, v, betas):
        new = averages(g, m, v, betas)[0]
        return new, betas[1] * v + (1 - betas[1]) * new * new

    return _with((p, g, m, v, t, lr), options, parts, average=average)


def adamw_step__betas_exchanged(p, g, m, v, t, lr, *options, **parts):
    """The two betas have changed places: the first is that of the gradients, the second that of their
    squares.

    fr: Les deux betas ont échangé leurs places : le premier est celui des gradients, le second celui de leurs
    carrés.
    """
    betas, *rest = (*options, *USUAL[len(options) :])
    return _with((p, g, m, v, t, lr), (betas[::-1], *rest), parts)


def adamw_step__keeps_the_rest(p, g, m, v, t, lr, *options, **parts):
    """Each average takes 1 - beta of what it was and beta of what is new. It is the other way round.

    fr: Chaque moyenne prend 1 - beta de ce qu'elle était et beta de ce qui est nouveau. C'est l'inverse.
    """

    def average(g, m, v, betas):
        return averages(g, m, v, [1 - beta for beta in betas])

    return _with((p, g, m, v, t, lr), options, parts, average=average)


def adamw_step__sums_gradients(p, g, m, v, t, lr, *options, **parts):
    """The whole gradient is added to m, as momentum does: an average takes 1 - b1 of it.

    fr: Le gradient entier est ajouté à m, comme le fait l'inertie : une moyenne en prend 1 - b1.
    """

    def average(g, m, v, betas):
        return betas[0] * m + g, averages(g, m, v, betas)[1]

    return _with((p, g, m, v, t, lr), options, parts, average=average)


def adamw_step__old_averages(p, g, m, v, t, lr, *options, **parts):
    """The parameter moves by the averages as they were before this gradient. Look at the order: they come
    first.

    fr: Le paramètre avance selon les moyennes d'avant ce gradient. Regardez l'ordre : elles viennent d'abord.
    """
    correct = parts.pop("correct", corrected)
    before = lambda _, __, t, betas: correct(m, v, t, betas)  # noqa: E731
    return _with((p, g, m, v, t, lr), options, parts, correct=before)


def adamw_step__ascends(p, g, m, v, t, lr, *options, **parts):
    """The parameter moves along the gradient, and the loss rises. Look at the sign of the step.

    fr: Le paramètre avance dans le sens du gradient, et la perte monte. Regardez le signe du pas.
    """
    return _with((p, g, m, v, t, lr), options, parts, move=lambda p, step, lr: p + lr * step)


def adamw_step__without_the_rate(p, g, m, v, t, lr, *options, **parts):
    """The step is not multiplied by the learning rate.

    fr: Le pas n'est pas multiplié par le taux d'apprentissage.
    """
    return _with((p, g, m, v, t, lr), options, parts, move=lambda p, step, lr: p - step)


def adamw_step__by_the_gradient(p, g, m, v, t, lr, *options, **parts):
    """The parameter moves by the gradient over the root of v_hat, as in RMSprop. It moves by m_hat.

    fr: Le paramètre avance du gradient divisé par la racine de v_hat, comme dans RMSprop. Il avance de m_hat.
    """
    correct = parts.pop("correct", corrected)
    raw = lambda m, v, t, betas: (g, correct(m, v, t, betas)[1])  # noqa: E731
    return _with((p, g, m, v, t, lr), options, parts, correct=raw)


def adamw_step__gives_corrected_averages(p, g, m, v, t, lr, *options, **parts):
    """m_hat and v_hat come back in the place of m and v, and the next step would correct them once more.

    fr: m_hat et v_hat sont renvoyés à la place de m et v, et le pas suivant les corrigerait encore une fois.
    """
    betas, *_ = (*options, *USUAL[len(options) :])
    p, m, v = _with((p, g, m, v, t, lr), options, parts)
    return p, *parts.get("correct", corrected)(m, v, t, betas)


def adamw_step__gives_old_averages(p, g, m, v, t, lr, *options, **parts):
    """m and v come back as they were given, and the next step knows nothing of this gradient.

    fr: m et v sont renvoyés tels qu'ils ont été donnés, et le pas suivant ignore tout de ce gradient.
    """
    return _with((p, g, m, v, t, lr), options, parts)[0], m, v


def adamw_step__gives_the_change(p, g, m, v, t, lr, *options, **parts):
    """What comes back first is by how much the parameter changes. The new parameter itself is due.

    fr: Ce qui est renvoyé en premier est la variation du paramètre. C'est le nouveau paramètre qui est dû.
    """
    new, m, v = _with((p, g, m, v, t, lr), options, parts)
    return p - new, m, v


def adamw_step__counts_its_calls(p, g, m, v, t, lr, *options, **parts):
    """The number of the step is counted inside, over all calls: with two parameters it is wrong. It is
    given as t.

    fr: Le numéro du pas est compté à l'intérieur, sur tous les appels : avec deux paramètres, il est faux.
    Il est donné par t.
    """
    COUNTED.append(t)
    return _with((p, g, m, v, len(COUNTED), lr), options, parts)


COUNTED = []


def adamw_step__one_average_for_all(p, g, m, v, t, lr, *options, **parts):
    """The averages are kept inside from call to call, and those that are given are not used: all parameters
    share one state. Each has an m and a v of its own.

    fr: Les moyennes sont gardées à l'intérieur d'un appel à l'autre, et celles qui sont données ne servent
    pas : tous les paramètres partagent un état. Chacun a son m et son v.
    """
    kept = KEPT.get("state")
    if kept is None or kept[0].shape != p.shape or t == 1:
        kept = m, v
    answer = _with((p, g, *(part.to(p.dtype) for part in kept), t, lr), options, parts)
    KEPT["state"] = answer[1:]
    return answer


KEPT = {}


def adamw_step__changes_the_gradient(p, g, m, v, t, lr, *options, **parts):
    """The caller's gradient is changed: something is computed in place on g.

    fr: Le gradient de l'appelant est modifié : un calcul se fait en place sur g.
    """
    betas, *_ = (*options, *USUAL[len(options) :])
    answer = _with((p, g, m, v, t, lr), options, parts)
    g.mul_(1 - betas[0])
    return answer


def adamw_step__parameter_alone(p, g, m, v, t, lr, *options, **parts):
    """The parameter comes back alone, and the averages are lost: the next step needs them.

    fr: Le paramètre revient seul, et les moyennes sont perdues : le pas suivant en a besoin.
    """
    return _with((p, g, m, v, t, lr), options, parts)[0]
