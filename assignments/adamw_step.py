# %% [markdown] lang="en"
# ## One step of AdamW
#
# AdamW keeps two running averages for each parameter: of its gradients, and of their squares. The step is the
# first over the root of the second, so that each parameter moves by about the learning rate, however large
# its gradients are. The weights decay beside it: that is the W, the difference from Adam with a penalty.

# %% [markdown] lang="fr"
# ## Un pas d'AdamW
#
# AdamW tient deux moyennes glissantes par paramètre : celle de ses gradients, et celle de leurs carrés. Le
# pas est la première divisée par la racine de la seconde, si bien que chaque paramètre avance d'environ le
# taux d'apprentissage, quelle que soit la taille de ses gradients. Les poids décroissent à côté : c'est le
# W, ce qui distingue AdamW d'Adam avec une pénalité.

# %%
import torch


def adamw_step(p, g, m, v, t, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
    """One step of AdamW for one parameter, as torch.optim.AdamW takes it.

    Args:
        p: the parameter, a tensor of any shape.
        g: its gradient, of the same shape. It keeps its values.
        m: the running average of the gradients before this step, of the same shape; zeros before the first
            step.
        v: the running average of their squares, likewise.
        t: the number of this step: 1 for the first one.
        lr: the learning rate.
        betas: (b1, b2), how much of m and of v is kept.
        eps: a small number against a division by 0.
        weight_decay: how much of the parameter decays, times lr.

    Returns:
        (p, m, v) after the step. They may be new tensors, or those that were given, changed in place.

    In this order:

        p = p - lr * weight_decay * p            the decay, of the parameter as it was before
        m = b1 * m + (1 - b1) * g
        v = b2 * v + (1 - b2) * g * g
        p = p - lr * m_hat / (sqrt(v_hat) + eps)     m_hat = m / (1 - b1**t), v_hat = v / (1 - b2**t)

    fr: Un pas d'AdamW pour un paramètre, comme le fait torch.optim.AdamW.

    Args:
        p: le paramètre, un tenseur de forme quelconque.
        g: son gradient, de même forme. Il garde ses valeurs.
        m: la moyenne glissante des gradients avant ce pas, de même forme ; des zéros avant le premier pas.
        v: la moyenne glissante de leurs carrés, de même.
        t: le numéro de ce pas : 1 pour le premier.
        lr: le taux d'apprentissage.
        betas: (b1, b2), la part de m et de v qui est gardée.
        eps: un petit nombre contre une division par 0.
        weight_decay: la part du paramètre qui décroît, fois lr.

    Returns:
        (p, m, v) après le pas. Ce peuvent être de nouveaux tenseurs, ou ceux qui ont été donnés, modifiés
        en place.

    Dans cet ordre :

        p = p - lr * weight_decay * p            la décroissance, du paramètre tel qu'il était avant
        m = b1 * m + (1 - b1) * g
        v = b2 * v + (1 - b2) * g * g
        p = p - lr * m_hat / (sqrt(v_hat) + eps)     m_hat = m / (1 - b1**t), v_hat = v / (1 - b2**t)
    """
    raise NotImplementedError
