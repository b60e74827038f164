"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint.

A mistake gives the reference another part, and what it is given itself goes before.
"""

import copy

import torch

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
HALF = ("gradients_add_up", "no_step", "cleared_before_the_step")
SMALL = ("moves_the_global_state", "stays_in_training", "keeps_the_graphs", "stays_in_evaluation")


def batch(data, block_size, batch_size, generator):
    place = torch.randint(len(data) - block_size, (batch_size, 1), generator=generator)
    place = place + torch.arange(block_size)
    return data[place], data[place + 1]


def adamw(parameters, lr):
    return torch.optim.AdamW(parameters, lr=lr)


def loss_of(model, x, y):
    return model(x, y)[1]


def learn(optimizer, loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def as_it_was(model, training):
    model.train(training)


def generator_of(seed):
    return torch.Generator().manual_seed(seed)


def number(loss):
    return loss.item()


def train_model(
    model,
    data,
    steps,
    batch_size,
    block_size,
    lr,
    seed,
    dice=generator_of,
    draw=batch,
    make=adamw,
    loss=loss_of,
    update=learn,
    tell=number,
    mode=True,
    after=as_it_was,
):
    training = model.training
    model.train(training if mode is None else mode)
    generator, optimizer, losses = dice(seed), make(model.parameters(), lr), []
    for _ in range(steps):
        x, y = draw(data, block_size, batch_size, generator)
        before = loss(model, x, y)
        update(optimizer, before)
        losses.append(tell(before))
    after(model, training)
    return losses


def train_model__gradients_add_up(*given, **parts):
    """The gradients of earlier steps are still there and add up. Look for zero_grad, and at where it stands.

    fr: Les gradients des pas précédents sont encore là et s'additionnent. Cherchez zero_grad, et regardez
    où il se trouve.
    """

    def update(optimizer, loss):
        loss.backward()
        optimizer.step()

    return train_model(*given, **{"update": update, **parts})


def train_model__cleared_before_the_step(*given, **parts):
    """The gradients are cleared between backward and step, and the step finds none. Look at the order of
    the three lines.

    fr: Les gradients sont effacés entre backward et step, et le pas n'en trouve plus. Regardez l'ordre des
    trois lignes.
    """

    def update(optimizer, loss):
        loss.backward()
        optimizer.zero_grad(set_to_none=False)
        optimizer.step()

    return train_model(*given, **{"update": update, **parts})


def train_model__no_step(*given, **parts):
    """The model never changes: no step of the optimizer is taken. Look at what follows backward.

    fr: Le modèle ne change jamais : aucun pas de l'optimiseur n'est fait. Regardez ce qui suit backward.
    """

    def update(optimizer, loss):
        optimizer.zero_grad()
        loss.backward()

    return train_model(*given, **{"update": update, **parts})


def train_model__steps_before_backward(*given, **parts):
    """The step is taken before the gradients are computed: each step uses those of the batch before. Look
    at the order of the lines.

    fr: Le pas est fait avant le calcul des gradients : chaque pas se sert de ceux du lot précédent.
    Regardez l'ordre des lignes.
    """

    def update(optimizer, loss):
        optimizer.step()
        optimizer.zero_grad()
        loss.backward()

    return train_model(*given, **{"update": update, **parts})


def train_model__goes_up(*given, **parts):
    """The loss rises: the steps go along the gradient. Look at the sign of what backward is called on.

    fr: La perte monte : les pas suivent le gradient. Regardez le signe de ce dont backward calcule le
    gradient.
    """
    update = parts.pop("update", learn)
    return train_model(*given, **{"update": lambda optimizer, loss: update(optimizer, -loss), **parts})


def train_model__plain_descent(*given, **parts):
    """The steps are those of plain gradient descent (SGD). AdamW is asked for.

    fr: Les pas sont ceux de la descente de gradient simple (SGD). C'est AdamW qui est demandé.
    """
    return train_model(*given, **{"make": lambda parameters, lr: torch.optim.SGD(parameters, lr=lr), **parts})


def train_model__own_rate(*given, **parts):
    """The learning rate is that of the optimizer's defaults, whatever lr says. Look at what AdamW is given.

    fr: Le taux d'apprentissage est celui par défaut de l'optimiseur, quoi que dise lr. Regardez ce que
    reçoit AdamW.
    """
    return train_model(*given, **{"make": lambda parameters, lr: adamw(parameters, 1e-3), **parts})


def train_model__large_decay(*given, **parts):
    """The weights decay ten times as fast as by AdamW's default. Look at weight_decay.

    fr: Les poids décroissent dix fois plus vite que par défaut dans AdamW. Regardez weight_decay.
    """

    def make(parameters, lr):
        return torch.optim.AdamW(parameters, lr=lr, weight_decay=0.1)

    return train_model(*given, **{"make": make, **parts})


def train_model__new_optimizer_each_step(*given, **parts):
    """The optimizer is made anew at each step, and forgets its averages. Look at what stands inside the loop.

    fr: L'optimiseur est créé à nouveau à chaque pas, et oublie ses moyennes. Regardez ce qui est dans la
    boucle.
    """
    learned = []

    def make(parameters, lr):
        learned.extend(parameters)
        return adamw(learned, lr)

    def update(optimizer, loss):
        learn(adamw(learned, optimizer.param_groups[0]["lr"]), loss)

    return train_model(*given, **{"make": make, "update": update, **parts})


def train_model__trains_a_copy(model, *given, **parts):
    """A copy of the model is trained, and the one that was given stays as it was.

    fr: C'est une copie du modèle qui est entraînée, et celui qui a été donné reste tel qu'il était.
    """
    return train_model(copy.deepcopy(model), *given, **parts)


def train_model__same_batch(*given, **parts):
    """All steps learn from one batch, which is drawn once, or from one seed at each step. Look at what
    stands inside the loop.

    fr: Tous les pas apprennent d'un seul lot, tiré une fois pour toutes, ou avec la même graine à chaque pas.
    Regardez ce qui est dans la boucle.
    """
    kept = []

    def draw(data, block_size, batch_size, generator):
        kept.append(kept[0] if kept else batch(data, block_size, batch_size, generator))
        return kept[0]

    return train_model(*given, **{"draw": draw, **parts})


def train_model__from_the_start(*given, **parts):
    """Every window is the beginning of the text. Draw them at random.

    fr: Chaque fenêtre est le début du texte. Tirez-les au hasard.
    """

    def draw(data, block_size, batch_size, generator):
        place = torch.zeros(batch_size, 1, dtype=torch.int64) + torch.arange(block_size)
        return data[place], data[place + 1]

    return train_model(*given, **{"draw": draw, **parts})


def train_model__last_never(*given, **parts):
    """The last window of the text is never drawn, and a text with just one window raises. Count how many
    places there are where a window and its targets fit.

    fr: La dernière fenêtre du texte n'est jamais tirée, et un texte d'une seule fenêtre lève une erreur.
    Comptez combien il y a de places où tiennent une fenêtre et ses cibles.
    """
    return train_model(*given, **{"draw": lambda data, *others: batch(data[:-1], *others), **parts})


def train_model__one_after_another(*given, **parts):
    """The windows come one after another from the beginning of the text on, whatever the seed is. Draw them
    at random.

    fr: Les fenêtres viennent l'une après l'autre depuis le début du texte, quelle que soit la graine.
    Tirez-les au hasard.
    """
    count = []

    def draw(data, block_size, batch_size, generator):
        count.append(batch_size)
        starts = (torch.arange(batch_size) + sum(count) - batch_size) % (len(data) - block_size)
        place = starts[:, None] + torch.arange(block_size)
        return data[place], data[place + 1]

    return train_model(*given, **{"draw": draw, **parts})


def train_model__targets_are_x(*given, **parts):
    """The model is taught to repeat x: its targets are x itself. Look at what is handed to the model.

    fr: On apprend au modèle à répéter x : ses cibles sont x lui-même. Regardez ce qui est donné au modèle.
    """
    return train_model(*given, **{"loss": lambda model, x, y: model(x, x)[1], **parts})


def train_model__targets_first(*given, **parts):
    """x and y have changed places when the model is called: it learns what comes before. Look at the order
    of its arguments.

    fr: x et y ont échangé leurs places à l'appel du modèle : il apprend ce qui précède. Regardez l'ordre de
    ses arguments.
    """
    return train_model(*given, **{"loss": lambda model, x, y: model(y, x)[1], **parts})


def train_model__sizes_swapped(model, data, steps, batch_size, block_size, *given, **parts):
    """Batches have block_size windows of length batch_size. Look at which of the two is which.

    fr: Les lots ont block_size fenêtres de longueur batch_size. Regardez laquelle des deux est laquelle.
    """
    return train_model(model, data, steps, block_size, batch_size, *given, **parts)


def train_model__own_seed(model, data, steps, batch_size, block_size, lr, seed, **parts):
    """The same batches come whatever the seed is: a fixed one is set inside. Where does seed go?

    fr: Les mêmes lots viennent quelle que soit la graine : une graine fixe est mise à l'intérieur. Où va
    seed ?
    """
    return train_model(model, data, steps, batch_size, block_size, lr, 1337, **parts)


def train_model__without_seed(*given, **parts):
    """The same seed gives other batches each time: the windows are not drawn by it. Where does seed go?

    fr: La même graine donne d'autres lots à chaque fois : les fenêtres n'en dépendent pas. Où va seed ?
    """
    return train_model(*given, **{"dice": lambda seed: None, **parts})


def train_model__moves_the_global_state(*given, **parts):
    """torch's global seed is set and stays so: what the caller draws afterwards is the same each time. Take a
    generator of your own, or put the state back.

    fr: La graine globale de torch est fixée et le reste : ce que l'appelant tire ensuite est le même à
    chaque fois. Prenez un générateur à vous, ou remettez l'état.
    """

    def dice(seed):
        torch.manual_seed(seed)

    return train_model(*given, **{"dice": dice, **parts})


def train_model__as_found(*given, **parts):
    """The model stays in the mode in which it was: in evaluation mode its dropout would not act. Look at
    what puts it into training mode.

    fr: Le modèle reste dans le mode où il était : en mode évaluation, son dropout n'agirait pas. Regardez
    ce qui le met en mode entraînement.
    """
    return train_model(*given, **{"mode": None, **parts})


def train_model__in_evaluation(*given, **parts):
    """The model is trained in evaluation mode, in which dropout does not act. Look at the mode during the
    loop.

    fr: Le modèle est entraîné en mode évaluation, où le dropout n'agit pas. Regardez le mode pendant la
    boucle.
    """
    return train_model(*given, **{"mode": False, **parts})


def train_model__stays_in_training(*given, **parts):
    """The model is in training mode afterwards, also where it was not before. Look at how the former mode is
    remembered.

    fr: Le modèle est ensuite en mode entraînement, même s'il n'y était pas avant. Regardez comment l'ancien
    mode est retenu.
    """
    return train_model(*given, **{"after": lambda model, training: model.train(), **parts})


def train_model__stays_in_evaluation(*given, **parts):
    """The model is in evaluation mode afterwards, also where it was in training before. Look at how the
    former mode is remembered.

    fr: Le modèle est ensuite en mode évaluation, même s'il était en entraînement avant. Regardez comment
    l'ancien mode est retenu.
    """
    return train_model(*given, **{"after": lambda model, training: model.eval(), **parts})


def train_model__keeps_the_graphs(*given, **parts):
    """The losses are kept with their graphs, and memory grows with every step. Look at what is put into the
    list.

    fr: Les pertes sont gardées avec leurs graphes, et la mémoire croît à chaque pas. Regardez ce qui est
    mis dans la liste.
    """
    return train_model(*given, **{"tell": lambda loss: loss, **parts})


def train_model__last_loss(*given, **parts):
    """One loss comes back, that of the last step. Those of all steps are due.

    fr: Une seule perte est renvoyée, celle du dernier pas. Ce sont celles de tous les pas qui sont dues.
    """
    return train_model(*given, **parts)[-1]


def train_model__one_step_less(model, data, steps, *given, **parts):
    """One step too few is taken. Look at how often the loop runs.

    fr: Un pas de moins est fait. Regardez combien de fois tourne la boucle.
    """
    return train_model(model, data, steps - 1, *given, **parts)


def train_model__losses_afterwards(model, *given, **parts):
    """Each loss is that of the batch after the step. It is the one before, whose gradients the step takes,
    that tells how the model does on a batch that it has not seen.

    fr: Chaque perte est celle du lot après le pas. C'est celle d'avant, dont le pas suit les gradients, qui
    dit ce que vaut le modèle sur un lot qu'il n'a pas vu.
    """
    seen, loss = [], parts.pop("loss", loss_of)

    def remembering(model, x, y):
        seen[:] = [x, y]
        return loss(model, x, y)

    tell = lambda _: float(loss(model, *seen).detach())  # noqa: E731
    return train_model(model, *given, **{"loss": remembering, "tell": tell, **parts})


def train_model__running_mean(*given, **parts):
    """What comes back is the mean of the losses so far. That of each step itself is due.

    fr: Ce qui est renvoyé est la moyenne des pertes jusque-là. C'est celle de chaque pas qui est due.
    """
    losses = train_model(*given, **parts)
    return [sum(losses[:n]) / n for n in range(1, len(losses) + 1)]
