"""plot_heads(attentions, tokens, layer, heads): a figure with an image and labels for each head."""

from dataclasses import dataclass, field
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.check import Candidate, alike, check, require, same, shaped
from graders.check_api.figures import Panel, panels_of, returns_a_figure
from graders.check_api.options import Options
from graders.check_api.strategies.tensors import hidden, ids, normal, seeds, sizes
from graders.language import tr, trn

# Each check has few draws: to make a figure takes far longer than to compute what it shows.
WORDS = ("le", "chat", "dort", "il", "est", "là")


@dataclass(frozen=True)
class Attended:
    """The sizes of a model's attention weights, the tokens, the layer and the heads to be drawn."""

    layers: int
    num_heads: int
    tokens: tuple[str, ...]
    layer: int
    heads: tuple[int, ...]
    seed: int = field(default=0, metadata=hidden)

    @property
    def attentions(self) -> tuple[Tensor, ...]:
        """A tensor (1, H, S, S) for each layer; rows sum to 1."""
        shape = (self.layers, 1, self.num_heads, len(self.tokens), len(self.tokens))
        return normal(*shape, seed=self.seed, scale=1.5).softmax(-1).unbind(0)

    @property
    def arguments(self) -> list[Any]:
        """The arguments of a call."""
        return [self.attentions, list(self.tokens), self.layer, list(self.heads)]

    def normalise(self, answer: Any) -> Any:
        """The arrays and labels of a figure; any other answer unchanged."""
        if not isinstance(answer, dict) or "panels" not in answer:
            return answer
        panels = panels_of(answer)
        # A text stands in the form of an answer by its beginning.
        texts = ["".join(f"{place}{text[:1]}" for place, text in p.rows.items()) for p in panels[:1]]
        texts += ["".join(f"{place}{text[:1]}" for place, text in p.columns.items()) for p in panels[:1]]
        return [*[panel.array for panel in panels], *texts]


@st.composite
def attended(draw: st.DrawFn, /, heads: tuple[int, ...] = (2,)) -> Attended:
    """Layers, heads and tokens of different numbers; the last token comes twice."""
    layers, count, seed = draw(sizes(2, 3)), draw(st.sampled_from([5, 6])), draw(seeds())
    tokens = (*WORDS[: draw(sizes(2, 4))], WORDS[0])
    order = torch.randperm(count, generator=torch.Generator().manual_seed(seed)).tolist()
    chosen = tuple(order[: draw(st.sampled_from(heads))])
    return Attended(layers, count, tokens, int(ids(1, vocabulary=layers, seed=seed)), chosen, seed)


def draw_panels(plot_heads: Candidate, draw: Attended) -> list[Panel]:
    """The panels, of which there must be one for each head."""
    panels, due = panels_of(plot_heads(*draw.arguments)), len(draw.heads)
    shown = trn("{n} image is shown", "{n} images are shown", len(panels))
    message = tr("{shown}, but there should be one for each of the {due} heads", shown=shown, due=due)
    require(len(panels) == due, message)
    return panels


def shows(panels: list[Panel], draw: Attended) -> None:
    """Require the weights of each head in its panel."""
    for number, (panel, head) in enumerate(zip(panels, draw.heads, strict=True), start=1):
        name = tr("image {number}, which shows head {head}", number=number, head=head)
        expected = draw.attentions[draw.layer][0, head]
        shaped(panel.array, tuple(expected.shape), name)
        alike(panel.array.float(), expected, name)


@check(points=1, given=attended(), draws=1, shape_only=True)
def returns_a_figure_of_squares(plot_heads: Candidate, draw: Attended) -> None:
    """a figure comes back, with an image of S x S numbers for each head

    fr: une figure est rendue, avec une image de S x S nombres par tête
    """
    answer = plot_heads(*draw.arguments)
    returns_a_figure(answer)
    for panel in panels_of(answer):
        shaped(panel.array, (len(draw.tokens),) * 2, tr("an image"))
    message = tr("there should be an image for each head")
    require(len(panels_of(answer)) == len(draw.heads), message)


@check(points=7, given=attended(heads=(3,)), draws=2, core=True)
def shows_the_weights_of_each_head(plot_heads: Candidate, draw: Attended) -> None:
    """each image shows the weights of its head in the layer that is asked for, in the order of heads

    fr: chaque image montre les poids de sa tête dans la couche demandée, dans l'ordre de heads
    """
    shows(draw_panels(plot_heads, draw), draw)


@check(points=3, given=attended(), draws=1)
def labels_the_rows(plot_heads: Candidate, draw: Attended) -> None:
    """each row is labelled with its token, the one that looks

    fr: chaque ligne porte son token, celui qui regarde
    """
    for panel in draw_panels(plot_heads, draw):
        labels(panel.rows, draw, tr("rows"))
        depends(panel)


@check(points=3, given=attended(), draws=1)
def labels_the_columns(plot_heads: Candidate, draw: Attended) -> None:
    """each column is labelled with its token, the one that is looked at

    fr: chaque colonne porte son token, celui qui est regardé
    """
    for panel in draw_panels(plot_heads, draw):
        labels(panel.columns, draw, tr("columns"))
        depends(panel)


# The first draw is the simplest, and takes the first number of heads: with five a grid of four is too small.
# The second has a single head most of the time: `plt.subplots` then gives no array of axes.
@check(points=3, given=attended(heads=(5, 1, 1, 4)), draws=2)
def draws_any_number_of_heads(plot_heads: Candidate, draw: Attended) -> None:
    """one head, four or five are drawn as three are

    fr: une tête, quatre ou cinq sont dessinées comme trois le sont
    """
    for panel in draw_panels(plot_heads, draw):
        shaped(panel.array, (len(draw.tokens),) * 2, tr("an image"))
        depends(panel)


@check(points=1, given=attended(), draws=1, on_its_word=True)
def leaves_its_arguments_alone(plot_heads: Candidate, draw: Attended) -> None:
    """the weights keep their values, and the second call draws the same

    fr: les poids gardent leurs valeurs, et le second appel dessine la même chose
    """
    call = plot_heads.observed_call(*draw.arguments)
    for after, before in zip(call.args[0], draw.attentions, strict=True):
        same(after, before, tr("{name} after the call", name="attentions"))
    panels = panels_of(call.answer)
    for first, second in zip(panels, panels_of(plot_heads(*draw.arguments)), strict=False):
        same(second.array, first.array, tr("the image of the second call"))
        depends(first)
    require(len(panels) > 0, tr("there should be an image for each head"))


def labels(texts: dict[int, str], draw: Attended, of: str) -> None:
    """Require each token at its row or column."""
    due = dict(enumerate(draw.tokens))
    listed = ", ".join(f"{place}: {text}" for place, text in sorted(texts.items())) or tr("none")
    expected = ", ".join(f"{place}: {text}" for place, text in due.items())
    message = tr(
        "the labels of the {of} should be {expected}, but are {found}", of=of, expected=expected, found=listed
    )
    require({place: text.strip() for place, text in texts.items() if place in due or text} == due, message)


def depends(panel: Panel) -> None:
    """Require an image that is not the same everywhere: nothing else would be drawn."""
    require(
        bool((panel.array != panel.array.flatten()[:1]).any()),
        tr("an image shows the same number everywhere"),
    )


def diagnostic_draws(seed: int) -> list[Attended]:
    """Draws that tell the known mistakes apart."""
    # Every image takes 10 ms, each time a mistake is looked at.
    tokens = ("le", "chat", "le")
    return [
        Attended(3, 6, tokens, 1, (4, 2, 5), seed),
        Attended(2, 5, tokens[:2], 0, (1, 4), seed + 1),
        Attended(2, 6, tokens, 1, (5, 1, 0, 3, 2), seed + 2),
    ]


options = Options(
    libraries=("matplotlib.pyplot",),
    diagnostic_draws=diagnostic_draws,
)
