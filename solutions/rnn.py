"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch
from torch import nn

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
WHOLE = ("state_not_carried", "without_the_state", "backwards")
SMALL = (
    "outputs_alone",
    "ignores_the_first_state",
    "returns_the_first_output",
    "changes_its_input",
    "time_first",
)


class RNN(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.W_x = nn.Linear(input_size, hidden_size)
        self.W_h = nn.Linear(hidden_size, hidden_size)

    def first_state(self, x, h0):
        return x.new_zeros(x.shape[0], self.hidden_size) if h0 is None else h0

    def carry(self, state, first):
        return state

    def from_input(self, x):
        return self.W_x(x)

    def from_state(self, h):
        return self.W_h(h)

    def squash(self, x):
        return torch.tanh(x)

    def step(self, x, h):
        return self.squash(self.from_input(x) + self.from_state(h))

    def read(self, x, h0):
        first = h = self.first_state(x, h0)
        states = []
        for position in x.unbind(1):
            h = self.step(position, self.carry(h, first))
            states.append(h)
        return torch.stack(states, 1)

    def last_state(self, outputs):
        return outputs[:, -1]

    def forward(self, x, h0=None):
        outputs = self.read(x, h0)
        return outputs, self.last_state(outputs)


class RNN__state_not_carried(RNN):
    """Each position begins from the first state again, so that nothing is remembered. Which state does a step
    get?

    fr: Chaque position repart du premier état, si bien que rien n'est retenu. Quel état un pas reçoit-il ?
    """

    def carry(self, state, first):
        return first


class RNN__without_tanh(RNN):
    """There is no tanh: the states are a linear map of the inputs. Look at what is done to the sum.

    fr: Il n'y a pas de tanh : les états sont une application linéaire des entrées. Regardez ce qui est
    fait de la somme.
    """

    def squash(self, x):
        return x


class RNN__tanh_of_the_input_alone(RNN):
    """The tanh acts on the part of x alone, and the part of the state is added afterwards. Look at the
    brackets.

    fr: La tanh n'agit que sur la part de x, et la part de l'état est ajoutée ensuite. Regardez les
    parenthèses.
    """

    def step(self, x, h):
        return self.squash(self.from_input(x)) + self.from_state(h)


class RNN__tanh_of_the_state_alone(RNN):
    """The tanh acts on the part of the state alone, and the part of x is added afterwards. Look at the
    brackets.

    fr: La tanh n'agit que sur la part de l'état, et la part de x est ajoutée ensuite. Regardez les
    parenthèses.
    """

    def step(self, x, h):
        return self.from_input(x) + self.squash(self.from_state(h))


class RNN__sigmoid(RNN):
    """The sum goes through a sigmoid, as a gate does. A state goes through tanh.

    fr: La somme passe par une sigmoïde, comme une porte. Un état passe par tanh.
    """

    def squash(self, x):
        return torch.sigmoid(x)


class RNN__relu(RNN):
    """The sum goes through a ReLU. Here a state goes through tanh, which keeps it between -1 and 1.

    fr: La somme passe par une ReLU. Ici, un état passe par tanh, qui le garde entre -1 et 1.
    """

    def squash(self, x):
        return torch.relu(x)


class RNN__without_the_state(RNN):
    """The state before is not used at all: W_h does nothing. What else than x_t does a step get?

    fr: L'état précédent ne sert pas du tout : W_h ne fait rien. Que reçoit un pas, à part x_t ?
    """

    def from_state(self, h):
        return torch.zeros_like(h)


class RNN__state_added_unchanged(RNN):
    """The state before is added as it is, without W_h. Look at what multiplies it.

    fr: L'état précédent est ajouté tel quel, sans W_h. Regardez ce qui le multiplie.
    """

    def from_state(self, h):
        return h


class RNN__product(RNN):
    """The part of x and the part of the state are multiplied. They are added.

    fr: La part de x et la part de l'état sont multipliées. Elles s'ajoutent.
    """

    def step(self, x, h):
        return self.squash(self.from_input(x) * self.from_state(h))


class RNN__backwards(RNN):
    """The sequence is read from its last position to its first. Look at the loop.

    fr: La séquence est lue de la dernière position à la première. Regardez la boucle.
    """

    def read(self, x, h0):
        return super().read(x.flip(1), h0).flip(1)


class RNN__over_the_batch(RNN):
    """The loop goes over the sequences of the batch and not over the positions, so that one sequence changes
    the next. Look at the axis: x is (B, S, I).

    fr: La boucle parcourt les séquences du lot et non les positions, si bien qu'une séquence change la
    suivante. Regardez l'axe : x est de forme (B, S, I).
    """

    def first_state(self, x, h0):
        return x.new_zeros(x.shape[0], self.hidden_size)

    def read(self, x, h0):
        return super().read(x.transpose(0, 1), h0).transpose(0, 1)


class RNN__time_first(RNN):
    """The outputs come back as (S, B, H). Look at the axis on which the states are stacked: (B, S, H) is due.

    fr: Les sorties sont renvoyées en (S, B, H). Regardez l'axe sur lequel les états sont empilés : (B, S, H)
    est attendu.
    """

    def forward(self, x, h0=None):
        outputs, last = super().forward(x, h0)
        return outputs.transpose(0, 1), last


class RNN__one_state_everywhere(RNN):
    """All outputs are the last state: each position should have its own. Is a list overwritten in the loop?

    fr: Toutes les sorties sont le dernier état : chaque position devrait avoir le sien. Une liste est-elle
    écrasée dans la boucle ?
    """

    def read(self, x, h0):
        outputs = super().read(x, h0)
        return outputs[:, -1:].expand_as(outputs)


class RNN__state_before_the_step(RNN):
    """Each output is the state before its position, not after it. Look at the order within the loop.

    fr: Chaque sortie est l'état avant sa position, et non après. Regardez l'ordre dans la boucle.
    """

    def read(self, x, h0):
        first = self.first_state(x, h0)[:, None]
        return torch.cat([first, super().read(x, h0)[:, :-1]], 1)


class RNN__adds_states_up(RNN):
    """The new state is added to the old one, as in a residual. A step replaces the state.

    fr: Le nouvel état est ajouté à l'ancien, comme dans un résidu. Un pas remplace l'état.
    """

    def step(self, x, h):
        return h + super().step(x, h)


class RNN__tanh_twice(RNN):
    """The state goes through tanh twice: within the step, and before it is given out.

    fr: L'état passe deux fois par tanh : dans le pas, puis avant d'être rendu.
    """

    def read(self, x, h0):
        return torch.tanh(super().read(x, h0))


class RNN__output_layer(RNN):
    """The states go through one layer more before they are given out. The outputs are the states themselves.

    fr: Les états passent par une couche de plus avant d'être rendus. Les sorties sont les états eux-mêmes.
    """

    def __init__(self, input_size, hidden_size):
        super().__init__(input_size, hidden_size)
        self.output = nn.Linear(hidden_size, hidden_size)

    def forward(self, x, h0=None):
        states, last = super().forward(x, h0)
        return self.output(states), last


class RNN__ignores_the_first_state(RNN):
    """The argument h0 changes nothing: the first state is always zeros. Where does h0 go?

    fr: L'argument h0 ne change rien : le premier état est toujours fait de zéros. Où va h0 ?
    """

    def first_state(self, x, h0):
        return super().first_state(x, None)


class RNN__begins_with_ones(RNN):
    """Where no h0 is given, the first state is ones. The contract says zeros.

    fr: Si h0 n'est pas donné, le premier état est fait de uns. Le contrat dit des zéros.
    """

    def first_state(self, x, h0):
        return torch.ones_like(super().first_state(x, None)) if h0 is None else h0


class RNN__outputs_alone(RNN):
    """The outputs come back alone; the last state should come after them.

    fr: Les sorties sont renvoyées seules ; le dernier état devrait les suivre.
    """

    def forward(self, x, h0=None):
        return super().forward(x, h0)[0]


class RNN__state_alone(RNN):
    """The last state comes back alone; the outputs of all positions should come before it.

    fr: Le dernier état est renvoyé seul ; les sorties de toutes les positions devraient le précéder.
    """

    def forward(self, x, h0=None):
        return super().forward(x, h0)[1]


class RNN__swapped(RNN):
    """The last state comes first; the pair is (outputs, h).

    fr: Le dernier état vient en premier ; la paire est (sorties, h).
    """

    def forward(self, x, h0=None):
        return super().forward(x, h0)[::-1]


class RNN__returns_the_first_output(RNN):
    """The state that comes back is that after the first position. Look at the index: the last is due.

    fr: L'état renvoyé est celui d'après la première position. Regardez l'indice : le dernier est attendu.
    """

    def last_state(self, outputs):
        return outputs[:, 0]


class RNN__without_bias(RNN):
    """There is no bias at all. Look at the arguments of nn.Linear.

    fr: Il n'y a aucun biais. Regardez les arguments de nn.Linear.
    """

    def __init__(self, input_size, hidden_size):
        super().__init__(input_size, hidden_size)
        self.W_x.bias = self.W_h.bias = None


class RNN__learned_first_state(RNN):
    """The first state is a parameter and is learned. The contract has no such parameter: it is zeros.

    fr: Le premier état est un paramètre, appris. Le contrat n'a pas ce paramètre : l'état est fait de zéros.
    """

    def __init__(self, input_size, hidden_size):
        super().__init__(input_size, hidden_size)
        self.start = nn.Parameter(torch.zeros(hidden_size))

    def first_state(self, x, h0):
        return super().first_state(x, h0) + (self.start if h0 is None else 0)


class RNN__state_detached(RNN):
    """The state is cut off from the gradients at each step, so that nothing is learned through time. Look for
    .detach(), .data or no_grad.

    fr: L'état est coupé des gradients à chaque pas, si bien que rien ne s'apprend à travers le temps.
    Cherchez .detach(), .data ou no_grad.
    """

    def carry(self, state, first):
        return state.detach()


class RNN__half_precision(RNN):
    """The state passes through half precision. Look for a cast (.half(), .bfloat16(), autocast).

    fr: L'état passe par la demi-précision. Cherchez une conversion (.half(), .bfloat16(), autocast).
    """

    def carry(self, state, first):
        return state.bfloat16().to(state.dtype)


class RNN__changes_its_input(RNN):
    """The caller's x is changed: something is computed in place on it.

    fr: Le x de l'appelant est modifié : un calcul se fait en place sur lui.
    """

    def forward(self, x, h0=None):
        answer = super().forward(x, h0)
        x.data.mul_(0.5)
        return answer
