"""The references about measuring a model and writing with it compute what PyTorch and transformers do."""

import math
from itertools import pairwise, product

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from graders.check_api.strategies.scored_tokens import scored_tokens
from graders.check_api.strategies.tensors import normal, seeds, sizes
from graders.corpora import names
from graders.course.reference import reference
from tests.course.test_peers_gpt import alike
from tests.support.peers import peer

F = torch.nn.functional
DOUBLE = {"dtype": torch.float64}


@given(
    scored_tokens(padded=True, **DOUBLE) | scored_tokens(**DOUBLE) | scored_tokens(corner="batch", **DOUBLE)
)
@settings(max_examples=40)
def test_perplexity_is_the_exponential_of_pytorchs_cross_entropy(draw):
    logits, targets = draw.flat.logits, draw.flat.targets
    loss = F.cross_entropy(logits, targets, ignore_index=draw.ignore_index)
    alike(reference("perplexity", "perplexity")(draw.logits, draw.targets, draw.ignore_index), loss.exp())


@given(draw=scored_tokens(padded=True, **DOUBLE), lengths=st.booleans())
@settings(max_examples=40)
def test_bits_per_character_are_pytorchs_summed_loss_by_the_letters_of_the_text(draw, lengths):
    words = ["a" * (1 + number % 4) for number in range(draw.logits.shape[-1])] if lengths else None
    given_lengths = torch.tensor([len(word) for word in words]) if words else None
    ids = draw.targets[draw.counted].tolist()
    text = "".join(words[i] for i in ids) if words else "a" * len(ids)
    loss = F.cross_entropy(
        draw.flat.logits, draw.flat.targets, ignore_index=draw.ignore_index, reduction="sum"
    )
    bits = reference("bits_per_char", "bits_per_char")
    mine = bits(draw.logits, draw.targets, given_lengths, draw.ignore_index)
    alike(mine, loss / math.log(2) / len(text))


@given(
    batch=sizes(1, 4),
    words=sizes(2, 9),
    seed=seeds(),
    temperature=st.floats(0.3, 3.0),
    top_k=st.none() | sizes(1, 12),
    top_p=st.none() | st.floats(0.01, 1.0),
)
@settings(max_examples=60, deadline=None)
def test_logits_are_changed_as_the_warpers_of_transformers_change_them(
    batch, words, seed, temperature, top_k, top_p
):
    warpers = peer("transformers")
    logits = normal(batch, words, seed=seed, scale=2.0, dtype=torch.float64)
    theirs = warpers.TemperatureLogitsWarper(temperature)(None, logits)
    theirs = theirs if top_k is None else warpers.TopKLogitsWarper(top_k)(None, theirs)
    theirs = theirs if top_p is None else warpers.TopPLogitsWarper(top_p)(None, theirs)
    mine = reference("adjust_logits", "adjust_logits")(logits, temperature, top_k, top_p)
    alike(mine, theirs)


def test_names_of_a_counted_bigram_model_are_those_of_the_corpus_of_names():
    text = names.text(4_000, "test")
    letters = sorted(set(text))
    counts = torch.zeros(len(letters), len(letters))
    for first, second in pairwise("\n" + text):
        counts[letters.index(first), letters.index(second)] += 1
    model = torch.nn.Embedding.from_pretrained(counts.log())
    sample, stop_id = reference("sample_name", "sample_name"), letters.index("\n")
    torch.manual_seed(1)
    written = ["".join(letters[i] for i in sample(model, stop_id, 30)) for _ in range(40)]
    assert all(first in names.ONSETS for first, *_ in written)
    assert 3 < sum(map(len, written)) / len(written) < 9
    assert len(set(written)) > 30


def test_a_tied_model_has_the_parameters_and_the_gradient_of_transformers_tied_gpt():
    transformers = peer("transformers")
    sizes_of_gpt = {"vocab_size": 11, "n_embd": 8, "n_layer": 1, "n_head": 2, "n_positions": 6}
    made = []
    for tied in (True, False):
        torch.manual_seed(1)
        config = transformers.GPT2Config(**sizes_of_gpt, tie_word_embeddings=tied)
        made.append(transformers.GPT2LMHeadModel(config).double().eval())
    theirs, mine = made
    mine.embedding = mine.transformer.wte
    mine.load_state_dict(theirs.state_dict(), strict=False)
    reference("tie_weights", "tie_weights")(mine)
    assert theirs.lm_head.weight is theirs.transformer.wte.weight
    assert mine.lm_head.weight is mine.transformer.wte.weight
    count, due = (sum(p.numel() for p in model.parameters()) for model in (mine, theirs))
    assert count == due
    ids = torch.tensor([[1, 4, 4, 9]])
    gradients = []
    for model in (mine, theirs):
        model(ids).logits.square().sum().backward()
        gradients.append(model.transformer.wte.weight.grad)
    alike(*gradients)


class Chain(torch.nn.Module):
    """The logits of the next id by the last two."""

    def __init__(self, words, seed):
        super().__init__()
        self.table = normal(words, words, words, seed=seed, scale=1.5, dtype=torch.float64)

    def forward(self, idx):
        before = torch.cat([idx[:, :1], idx[:, :-1]], 1)
        return self.table[before, idx]


@given(seed=seeds(), words=sizes(2, 4), length=sizes(1, 4), penalty=st.sampled_from([0.0, 0.6, 1.0, 2.0]))
@settings(max_examples=40, deadline=None)
def test_a_beam_that_holds_all_sequences_finds_the_best_of_a_list_of_all(seed, words, length, penalty):
    model, start, stop = Chain(words, seed), 0, words - 1
    best, most = None, -math.inf
    for count in range(1, length + 1):
        for ids in product(range(words), repeat=count):
            ended = ids[-1] == stop
            if stop in ids[:-1] or not (ended or count == length):
                continue
            logs = model(torch.tensor([[start, *ids]])).log_softmax(-1)[0]
            total = sum(float(logs[place, word]) for place, word in enumerate(ids))
            if total / count**penalty > most:
                best, most = list(ids[:-1] if ended else ids), total / count**penalty
    found = reference("beam_search", "beam_search")(model, start, stop, words**length, length, penalty)
    assert found == best
