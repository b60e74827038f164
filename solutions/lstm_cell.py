"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch
from torch import nn

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
SMALL = ("begins_with_ones", "changes_the_cell_before")


class LSTMCell(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.W_i, self.W_f, self.W_g, self.W_o = (nn.Linear(input_size, hidden_size) for _ in range(4))
        self.U_i, self.U_f, self.U_g, self.U_o = (nn.Linear(hidden_size, hidden_size) for _ in range(4))

    def first_state(self, x):
        return x.new_zeros(x.shape[0], self.hidden_size)

    def sums(self, x, h):
        """What goes into i, f, g and o."""
        return (
            self.W_i(x) + self.U_i(h),
            self.W_f(x) + self.U_f(h),
            self.W_g(x) + self.U_g(h),
            self.W_o(x) + self.U_o(h),
        )

    def gate(self, x):
        return torch.sigmoid(x)

    def candidate(self, x):
        return torch.tanh(x)

    def write(self, i, f, g, c):
        return f * c + i * g

    def show(self, o, c):
        return o * torch.tanh(c)

    def step(self, x, h, c):
        i, f, g, o = self.sums(x, h)
        new = self.write(self.gate(i), self.gate(f), self.candidate(g), c)
        return self.show(self.gate(o), new), new

    def forward(self, x, h=None, c=None):
        h = self.first_state(x) if h is None else h
        c = self.first_state(x) if c is None else c
        return self.step(x, h, c)


class LSTMCell__without_tanh_of_the_cell(LSTMCell):
    """What is shown is o times the cell itself. Look at what is done to c' before the gate o.

    fr: Ce qui est montré est o fois la cellule elle-même. Regardez ce qui est fait de c' avant la porte o.
    """

    def show(self, o, c):
        return o * c


class LSTMCell__sigmoid_of_the_candidate(LSTMCell):
    """What is written goes through a sigmoid, like the gates: then it is never negative. Look at g.

    fr: Ce qui est écrit passe par une sigmoïde, comme les portes : il n'est alors jamais négatif. Regardez g.
    """

    def candidate(self, x):
        return torch.sigmoid(x)


class LSTMCell__tanh_of_the_gates(LSTMCell):
    """The gates go through tanh, so that they can be negative. A gate lies between 0 and 1.

    fr: Les portes passent par tanh, si bien qu'elles peuvent être négatives. Une porte est entre 0 et 1.
    """

    def gate(self, x):
        return torch.tanh(x)


class LSTMCell__shows_the_cell_before(LSTMCell):
    """What is shown is made of the cell before this step. Look at which c goes through the last tanh.

    fr: Ce qui est montré vient de la cellule d'avant ce pas. Regardez quel c passe par la dernière tanh.
    """

    def step(self, x, h, c):
        i, f, g, o = self.sums(x, h)
        return self.show(self.gate(o), c), self.write(self.gate(i), self.gate(f), self.candidate(g), c)


class LSTMCell__returns_the_cell_before(LSTMCell):
    """The cell that comes back is the one that was given: what this step wrote is lost.

    fr: La cellule renvoyée est celle qui a été donnée : ce que ce pas a écrit est perdu.
    """

    def step(self, x, h, c):
        return super().step(x, h, c)[0], c


class LSTMCell__state_alone(LSTMCell):
    """h' comes back alone; the new cell should come after it.

    fr: h' est renvoyé seul ; la nouvelle cellule devrait le suivre.
    """

    def forward(self, x, h=None, c=None):
        return super().forward(x, h, c)[0]


class LSTMCell__swapped(LSTMCell):
    """The cell comes first; the pair is (h', c').

    fr: La cellule vient en premier ; la paire est (h', c').
    """

    def forward(self, x, h=None, c=None):
        return super().forward(x, h, c)[::-1]


class LSTMCell__returns_the_state_twice(LSTMCell):
    """h' comes back in the place of the cell, too.

    fr: h' est renvoyé à la place de la cellule aussi.
    """

    def step(self, x, h, c):
        new = super().step(x, h, c)[0]
        return new, new


class LSTMCell__cell_after_tanh(LSTMCell):
    """The cell that comes back has gone through tanh, so that it cannot grow. The tanh belongs to what is
    shown alone.

    fr: La cellule renvoyée est passée par tanh, si bien qu'elle ne peut pas grandir. La tanh ne concerne
    que ce qui est montré.
    """

    def step(self, x, h, c):
        h, c = super().step(x, h, c)
        return h, torch.tanh(c)


class LSTMCell__input_and_forget_swapped(LSTMCell):
    """The gates i and f are exchanged: i acts on the cell before, f on what is written. Look at c'.

    fr: Les portes i et f sont échangées : i agit sur la cellule d'avant, f sur ce qui est écrit. Regardez c'.
    """

    def write(self, i, f, g, c):
        return super().write(f, i, g, c)


class LSTMCell__output_and_input_swapped(LSTMCell):
    """The gates i and o are exchanged: o acts on what is written, i on what is shown.

    fr: Les portes i et o sont échangées : o agit sur ce qui est écrit, i sur ce qui est montré.
    """

    def sums(self, x, h):
        i, f, g, o = super().sums(x, h)
        return o, f, g, i


class LSTMCell__forget_gate_inverted(LSTMCell):
    """The cell is multiplied by 1 - f: an open gate then forgets. Where f is 1, the cell stays.

    fr: La cellule est multipliée par 1 - f : une porte ouverte oublie alors. Là où f vaut 1, la cellule
    reste.
    """

    def write(self, i, f, g, c):
        return super().write(i, 1 - f, g, c)


class LSTMCell__coupled_gates(LSTMCell):
    """What is written is multiplied by 1 - f, as in a GRU. An LSTM has a gate of its own for that.

    fr: Ce qui est écrit est multiplié par 1 - f, comme dans un GRU. Un LSTM a une porte à lui pour cela.
    """

    def write(self, i, f, g, c):
        return super().write(1 - f, f, g, c)


class LSTMCell__never_forgets(LSTMCell):
    """The cell before is kept whole: there is no gate f. Look at what multiplies c.

    fr: La cellule d'avant est gardée entière : il n'y a pas de porte f. Regardez ce qui multiplie c.
    """

    def write(self, i, f, g, c):
        return super().write(i, torch.ones_like(f), g, c)


class LSTMCell__writes_everything(LSTMCell):
    """What is written has no gate i. Look at what multiplies g.

    fr: Ce qui est écrit n'a pas de porte i. Regardez ce qui multiplie g.
    """

    def write(self, i, f, g, c):
        return super().write(torch.ones_like(i), f, g, c)


class LSTMCell__shows_everything(LSTMCell):
    """What is shown has no gate o. Look at what multiplies tanh(c').

    fr: Ce qui est montré n'a pas de porte o. Regardez ce qui multiplie tanh(c').
    """

    def show(self, o, c):
        return super().show(torch.ones_like(o), c)


class LSTMCell__forgets_the_cell(LSTMCell):
    """The cell before is not used: c' is i * g alone. Then nothing stays for longer than a step.

    fr: La cellule d'avant ne sert pas : c' n'est que i * g. Rien ne reste alors plus d'un pas.
    """

    def write(self, i, f, g, c):
        return i * g + 0 * c


class LSTMCell__without_the_state(LSTMCell):
    """The gates see x alone: U does nothing. What else than x goes into a gate?

    fr: Les portes ne voient que x : U ne fait rien. Qu'est-ce qui entre dans une porte, à part x ?
    """

    def sums(self, x, h):
        return super().sums(x, 0 * h)


class LSTMCell__gates_see_the_cell(LSTMCell):
    """The gates get the cell in the place of h. Look at what U_i, U_f, U_g and U_o multiply.

    fr: Les portes reçoivent la cellule à la place de h. Regardez ce que multiplient U_i, U_f, U_g et U_o.
    """

    def step(self, x, h, c):
        i, f, g, o = self.sums(x, c)
        new = self.write(self.gate(i), self.gate(f), self.candidate(g), c)
        return self.show(self.gate(o), new), new


class LSTMCell__with_peepholes(LSTMCell):
    """The gates see the cell as well, by weights of their own: that is an LSTM with peepholes. This one has
    none.

    fr: Les portes voient aussi la cellule, par des poids à elles : c'est un LSTM à judas (peepholes).
    Celui-ci n'en a pas.
    """

    def __init__(self, input_size, hidden_size):
        super().__init__(input_size, hidden_size)
        self.P_i, self.P_f, self.P_o = (nn.Parameter(torch.ones(hidden_size)) for _ in range(3))

    def step(self, x, h, c):
        i, f, g, o = self.sums(x, h)
        new = self.write(self.gate(i + self.P_i * c), self.gate(f + self.P_f * c), self.candidate(g), c)
        return self.show(self.gate(o + self.P_o * new), new), new


class LSTMCell__forget_gate_plus_one(LSTMCell):
    """1 is added within the forget gate at each step. A bias may begin at 1, but the step adds nothing.

    fr: 1 est ajouté dans la porte d'oubli à chaque pas. Un biais peut partir de 1, mais le pas n'ajoute rien.
    """

    def sums(self, x, h):
        i, f, g, o = super().sums(x, h)
        return i, f + 1, g, o


class LSTMCell__without_bias(LSTMCell):
    """There is no bias at all. Look at the arguments of nn.Linear.

    fr: Il n'y a aucun biais. Regardez les arguments de nn.Linear.
    """

    def __init__(self, input_size, hidden_size):
        super().__init__(input_size, hidden_size)
        for layer in self.children():
            layer.bias = None


class LSTMCell__begins_with_ones(LSTMCell):
    """Where no states are given, they are ones. The contract says zeros.

    fr: Si les états ne sont pas donnés, ils sont faits de uns. Le contrat dit des zéros.
    """

    def first_state(self, x):
        return torch.ones_like(super().first_state(x))


class LSTMCell__ignores_the_states(LSTMCell):
    """The states that are given change nothing: each step begins from zeros. Where do h and c go?

    fr: Les états donnés ne changent rien : chaque pas part de zéros. Où vont h et c ?
    """

    def forward(self, x, h=None, c=None):
        return super().forward(x)


class LSTMCell__states_detached(LSTMCell):
    """The states are cut off from the gradients, so that nothing is learned through time. Look for .detach(),
    .data or no_grad.

    fr: Les états sont coupés des gradients, si bien que rien ne s'apprend à travers le temps. Cherchez
    .detach(), .data ou no_grad.
    """

    def step(self, x, h, c):
        return super().step(x, h.detach(), c.detach())


class LSTMCell__changes_the_cell_before(LSTMCell):
    """The caller's cell is changed: something is computed in place on it (c *= f, say).

    fr: La cellule de l'appelant est modifiée : un calcul se fait en place sur elle (c *= f, par exemple).
    """

    def step(self, x, h, c):
        answer = super().step(x, h, c)
        c.data.copy_(answer[1].data)
        return answer
