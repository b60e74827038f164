"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

from types import MappingProxyType

import torch
from torch import nn

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
SMALL = ("begins_with_ones", "answers_twice", "changes_the_state_before")


class KeepsByZ(nn.Module):
    """The new state, where z is the share of the old one."""

    def forward(self, z, new, before):
        return (1 - z) * new + z * before


class WritesByZ(nn.Module):
    """The new state, where z is the share of what is new."""

    def forward(self, z, new, before):
        return z * new + (1 - z) * before


class GRUCell(nn.Module):
    # Right in the place of its part `update`, its own first: softmark accepts each of them.
    alternatives = MappingProxyType({"update": (KeepsByZ, WritesByZ)})

    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.W_r, self.W_z, self.W_n = (nn.Linear(input_size, hidden_size) for _ in range(3))
        self.U_r, self.U_z, self.U_n = (nn.Linear(hidden_size, hidden_size) for _ in range(3))
        self.update = KeepsByZ()

    def first_state(self, x):
        return x.new_zeros(x.shape[0], self.hidden_size)

    def gate(self, x):
        return torch.sigmoid(x)

    def gates(self, x, h):
        return self.gate(self.W_r(x) + self.U_r(h)), self.gate(self.W_z(x) + self.U_z(h))

    def squash(self, x):
        return torch.tanh(x)

    def candidate(self, x, h, r):
        return self.squash(self.W_n(x) + r * self.U_n(h))

    def renew(self, z, new, before):
        return self.update(z, new, before)

    def step(self, x, h):
        r, z = self.gates(x, h)
        return self.renew(z, self.candidate(x, h, r), h)

    def forward(self, x, h=None):
        return self.step(x, self.first_state(x) if h is None else h)


class GRUCell__resets_before_the_product(GRUCell):
    """h is multiplied by r before it goes through U_n, as in the first paper on GRUs. The contract takes
    PyTorch's form: r multiplies what comes out of U_n.

    fr: h est multiplié par r avant de passer par U_n, comme dans le premier article sur les GRU. Le contrat
    prend la forme de PyTorch : r multiplie ce qui sort de U_n.
    """

    def candidate(self, x, h, r):
        return self.squash(self.W_n(x) + self.U_n(r * h))


class GRUCell__bias_outside_the_reset(GRUCell):
    """The bias of U_n is added behind the reset gate: r multiplies U_n h without it. Look at the brackets.

    fr: Le biais de U_n est ajouté derrière la porte r, qui ne multiplie que U_n h. Regardez les parenthèses.
    """

    def candidate(self, x, h, r):
        return self.squash(self.W_n(x) + r * (h @ self.U_n.weight.T) + self.U_n.bias)


class GRUCell__without_reset(GRUCell):
    """The gate r is not used: what is new sees all of the old state. Where does r go?

    fr: La porte r ne sert pas : ce qui est nouveau voit tout l'ancien état. Où va r ?
    """

    def candidate(self, x, h, r):
        return super().candidate(x, h, torch.ones_like(r))


class GRUCell__resets_the_input(GRUCell):
    """The gate r multiplies the part of x, and not that of the state. Look at what r stands beside.

    fr: La porte r multiplie la part de x, et non celle de l'état. Regardez à côté de quoi se trouve r.
    """

    def candidate(self, x, h, r):
        return self.squash(r * self.W_n(x) + self.U_n(h))


class GRUCell__resets_the_sum(GRUCell):
    """The gate r multiplies the sum of both parts. Look at the brackets: it multiplies the state's part
    alone.

    fr: La porte r multiplie la somme des deux parts. Regardez les parenthèses : elle ne multiplie que
    celle de l'état.
    """

    def candidate(self, x, h, r):
        return self.squash(r * (self.W_n(x) + self.U_n(h)))


class GRUCell__without_update(GRUCell):
    """The new state is n alone: the gate z is not used, and nothing of the old state stays.

    fr: Le nouvel état est n seul : la porte z ne sert pas, et rien de l'ancien état ne reste.
    """

    def renew(self, z, new, before):
        return new + 0 * z


class GRUCell__keeps_everything(GRUCell):
    """The old state is added whole, without its gate. Look at the last line.

    fr: L'ancien état est ajouté entier, sans sa porte. Regardez la dernière ligne.
    """

    def renew(self, z, new, before):
        return self.update(z, new, 0 * before) + before


class GRUCell__writes_everything(GRUCell):
    """What is new is added whole, without its gate. Look at the last line: z and 1 - z make a mean of both.

    fr: Ce qui est nouveau est ajouté entier, sans sa porte. Regardez la dernière ligne : z et 1 - z font une
    moyenne des deux.
    """

    def renew(self, z, new, before):
        return new + self.update(z, 0 * new, before)


class GRUCell__one_gate_for_both(GRUCell):
    """What is new and the old state are multiplied by the same gate. One gets z, the other 1 - z.

    fr: Ce qui est nouveau et l'ancien état sont multipliés par la même porte. L'un reçoit z, l'autre 1 - z.
    """

    def renew(self, z, new, before):
        return self.update(z, 0 * new, before + new)


class GRUCell__sigmoid_of_the_candidate(GRUCell):
    """What is new goes through a sigmoid, like the gates: then it is never negative. Look at n.

    fr: Ce qui est nouveau passe par une sigmoïde, comme les portes : il n'est alors jamais négatif.
    Regardez n.
    """

    def squash(self, x):
        return torch.sigmoid(x)


class GRUCell__candidate_without_tanh(GRUCell):
    """What is new goes through no tanh, so that the state can grow without limit. Look at n.

    fr: Ce qui est nouveau ne passe par aucune tanh, si bien que l'état peut grandir sans limite. Regardez n.
    """

    def squash(self, x):
        return x


class GRUCell__tanh_of_the_gates(GRUCell):
    """The gates go through tanh, so that they can be negative. A gate lies between 0 and 1.

    fr: Les portes passent par tanh, si bien qu'elles peuvent être négatives. Une porte est entre 0 et 1.
    """

    def gate(self, x):
        return torch.tanh(x)


class GRUCell__gates_exchanged(GRUCell):
    """The gates r and z are exchanged. Look at which of them the old state is weighed by.

    fr: Les portes r et z sont échangées. Regardez laquelle pèse l'ancien état.
    """

    def gates(self, x, h):
        return super().gates(x, h)[::-1]


class GRUCell__gates_without_the_input(GRUCell):
    """The gates see the state alone: the part of x is missing in r and z.

    fr: Les portes ne voient que l'état : la part de x manque dans r et z.
    """

    def gates(self, x, h):
        return super().gates(0 * x, h)


class GRUCell__gates_without_the_state(GRUCell):
    """The gates see x alone: the part of h is missing in r and z.

    fr: Les portes ne voient que x : la part de h manque dans r et z.
    """

    def gates(self, x, h):
        return super().gates(x, 0 * h)


class GRUCell__answers_twice(GRUCell):
    """A pair comes back, as from an LSTM. A GRU has one state: one tensor is due.

    fr: C'est une paire qui est renvoyée, comme par un LSTM. Un GRU a un seul état : un seul tenseur est
    attendu.
    """

    def forward(self, x, h=None):
        new = super().forward(x, h)
        return new, new


class GRUCell__without_bias(GRUCell):
    """There is no bias at all. Look at the arguments of nn.Linear.

    fr: Il n'y a aucun biais. Regardez les arguments de nn.Linear.
    """

    def __init__(self, input_size, hidden_size):
        super().__init__(input_size, hidden_size)
        for layer in self.children():
            if isinstance(layer, nn.Linear):
                layer.bias = None


class GRUCell__one_bias_each(GRUCell):
    """r, z and n have one bias each. n needs two: r multiplies that of U_n, and not that of W_n.

    fr: r, z et n ont chacun un seul biais. Il en faut deux à n : r multiplie celui de U_n, et non celui de
    W_n.
    """

    def __init__(self, input_size, hidden_size):
        super().__init__(input_size, hidden_size)
        for layer in (self.U_r, self.U_z, self.U_n):
            layer.bias = None


class GRUCell__begins_with_ones(GRUCell):
    """Where no state is given, it is ones. The contract says zeros.

    fr: Si l'état n'est pas donné, il est fait de uns. Le contrat dit des zéros.
    """

    def first_state(self, x):
        return torch.ones_like(super().first_state(x))


class GRUCell__ignores_the_state(GRUCell):
    """The state that is given changes nothing: each step begins from zeros. Where does h go?

    fr: L'état donné ne change rien : chaque pas part de zéros. Où va h ?
    """

    def forward(self, x, h=None):
        return super().forward(x)


class GRUCell__state_detached(GRUCell):
    """The state is cut off from the gradients, so that nothing is learned through time. Look for .detach(),
    .data or no_grad.

    fr: L'état est coupé des gradients, si bien que rien ne s'apprend à travers le temps. Cherchez .detach(),
    .data ou no_grad.
    """

    def step(self, x, h):
        return super().step(x, h.detach())


class GRUCell__changes_the_state_before(GRUCell):
    """The caller's state is changed: something is computed in place on it (h *= z, say).

    fr: L'état de l'appelant est modifié : un calcul se fait en place sur lui (h *= z, par exemple).
    """

    def step(self, x, h):
        answer = super().step(x, h)
        h.data.copy_(answer.data)
        return answer
