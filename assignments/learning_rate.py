# %% [markdown] lang="en"
# ## The learning rate, step by step
#
# At the beginning the averages of an optimizer know little, and large steps do harm: the learning rate
# warms up. Towards the end small steps find the bottom of the valley: the rate falls, along half a cosine.

# %% [markdown] lang="fr"
# ## Le taux d'apprentissage, pas à pas
#
# Au début, les moyennes d'un optimiseur en savent peu, et de grands pas font du tort : le taux monte peu à
# peu. Vers la fin, de petits pas trouvent le fond de la vallée : le taux descend, le long d'un demi-cosinus.

# %%
import math


def lr_at(step, max_iters, warmup, peak, least):
    """The learning rate of a step: a linear warm-up, then half a cosine from the peak to the least.

    Args:
        step: the number of the step, from 0. It may be larger than max_iters.
        max_iters: the step at which the least is reached; warmup < max_iters.
        warmup: the number of steps of the warm-up; 0 for none.
        peak: the largest learning rate.
        least: the smallest one after the warm-up.

    Returns:
        one number. While step < warmup: peak * step / warmup, so 0 at step 0. From step = warmup on, where
        it is
        peak: least + (peak - least) * (1 + cos(pi * x)) / 2, where x goes from 0 at warmup to 1 at max_iters.
        From max_iters on: least.

    fr: Le taux d'apprentissage d'un pas : une montée linéaire, puis un demi-cosinus de peak à least.

    Args:
        step: le numéro du pas, à partir de 0. Il peut dépasser max_iters.
        max_iters: le pas où least est atteint ; warmup < max_iters.
        warmup: le nombre de pas de la montée ; 0 s'il n'y en a pas.
        peak: le plus grand taux.
        least: le plus petit après la montée.

    Returns:
        un seul nombre. Tant que step < warmup : peak * step / warmup, donc 0 au pas 0. À partir de step =
        warmup, où il vaut peak : least + (peak - least) * (1 + cos(pi * x)) / 2, où x va de 0 à warmup
        jusqu'à 1 à max_iters. À partir de max_iters : least.
    """
    raise NotImplementedError
