"""The references of the rnn assignment compute what PyTorch's own recurrent modules compute."""

import pytest
import torch
from hypothesis import given, settings
from torch import Tensor, nn

from graders.check_api.strategies.tensors import normal, sizes
from graders.course.reference import reference
from softmark_worker.lent_layers import RecurrentLayer
from tests.course.test_peers_gpt import SIZES, alike, states, taken

STEP = {"batch": sizes(1, 3), "inputs": sizes(1, 5), "hidden": sizes(1, 5), "seed": SIZES["seed"]}
SEQUENCE = {**STEP, "length": sizes(1, 6)}


def state(batch: int, hidden: int, seed: int) -> Tensor:
    return normal(batch, hidden, seed=seed, dtype=torch.float64)


def carry(mine: nn.Module, theirs: nn.Module, gates: str) -> None:
    """Give PyTorch's cell or network, whose gates are joined, the layers of each gate."""
    layers = dict(mine.named_children())
    suffix = "_l0" if hasattr(theirs, "weight_ih_l0") else ""
    with torch.no_grad():
        for kind, of_torch in (("W", "ih"), ("U", "hh")):
            parts = [layers[f"{kind}_{gate}"] for gate in gates]
            for name in ("weight", "bias"):
                joined = torch.cat([getattr(part, name) for part in parts])
                getattr(theirs, f"{name}_{of_torch}{suffix}").copy_(joined)


@given(**SEQUENCE)
@settings(max_examples=12)
def test_the_network_is_nn_rnn(batch, inputs, hidden, seed, length):
    mine = taken("rnn", "RNN", seed, inputs, hidden)
    theirs = nn.RNN(inputs, hidden, batch_first=True, dtype=torch.float64)
    given_layers = {"ih": mine.W_x, "hh": mine.W_h}
    theirs.load_state_dict(
        {f"{p}_{n}_l0": getattr(layer, p) for n, layer in given_layers.items() for p in ("weight", "bias")}
    )
    x, h0 = states(batch, length, inputs, seed), state(batch, hidden, seed + 1)
    for first in (None, h0):
        outputs, last = mine(x, first)
        due, due_last = theirs(x, None if first is None else first[None])
        alike(outputs, due)
        alike(last, due_last[0])


@given(**SEQUENCE)
@settings(max_examples=12)
def test_the_lstm_cell_is_nn_lstm_cell_and_step_by_step_nn_lstm(batch, inputs, hidden, seed, length):
    mine = taken("lstm_cell", "LSTMCell", seed, inputs, hidden)
    cell = nn.LSTMCell(inputs, hidden, dtype=torch.float64)
    network = nn.LSTM(inputs, hidden, batch_first=True, dtype=torch.float64)
    carry(mine, cell, "ifgo")
    carry(mine, network, "ifgo")
    x, h, c = (
        states(batch, length, inputs, seed),
        state(batch, hidden, seed + 1),
        state(batch, hidden, seed + 2),
    )
    for due, new in zip(cell(x[:, 0], (h, c)), mine(x[:, 0], h, c), strict=True):
        alike(new, due)
    outputs, (last, last_cell) = network(x)
    h = c = None
    for position in range(length):
        h, c = mine(x[:, position], h, c)
        alike(h, outputs[:, position])
    alike(h, last[0])
    alike(c, last_cell[0])


@given(**SEQUENCE)
@settings(max_examples=12)
def test_the_gru_cell_is_nn_gru_cell_and_step_by_step_nn_gru(batch, inputs, hidden, seed, length):
    mine = taken("gru_cell", "GRUCell", seed, inputs, hidden)
    cell = nn.GRUCell(inputs, hidden, dtype=torch.float64)
    network = nn.GRU(inputs, hidden, batch_first=True, dtype=torch.float64)
    carry(mine, cell, "rzn")
    carry(mine, network, "rzn")
    x, h = states(batch, length, inputs, seed), state(batch, hidden, seed + 1)
    alike(mine(x[:, 0], h), cell(x[:, 0], h))
    outputs, _ = network(x)
    h = None
    for position in range(length):
        h = mine(x[:, position], h)
        alike(h, outputs[:, position])


@given(**SEQUENCE)
@settings(max_examples=6)
def test_gradients_by_lag_are_rows_of_the_jacobian(batch, inputs, hidden, seed, length):
    mine = reference("gradient_by_lag", "gradient_by_lag")
    network = nn.RNN(inputs, hidden, batch_first=True, dtype=torch.float64)
    x = states(batch, length, inputs, seed)

    def last(given: Tensor) -> Tensor:
        return network(given)[0][:, -1].sum(-1)

    by_sequence = torch.autograd.functional.jacobian(last, x).diagonal(dim1=0, dim2=1)  # (S, E, B)
    alike(mine(network, x), by_sequence.norm(dim=1).mean(-1).flip(0))


@pytest.mark.parametrize("radius", [0.5, 1.5])
def test_along_a_linear_network_gradients_are_powers_of_the_spectral_radius(radius):
    network = RecurrentLayer(4, linear=True).double()
    orthogonal = torch.linalg.qr(normal(4, 4, seed=1, dtype=torch.float64))[0]
    network.load_state_dict({"weight_x": torch.eye(4), "weight_h": radius * orthogonal})
    norms = reference("gradient_by_lag", "gradient_by_lag")(network, states(3, 6, 4, 2))
    alike(norms, 2 * radius ** torch.arange(6, dtype=torch.float64))  # sum over 4 values: norm 2
