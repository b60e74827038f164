"""The references of the tasks of BERT compute what the transformers library and PyTorch compute."""

from functools import partial

import pytest
import torch

from graders.candidate.local_candidate import LocalCandidate
from graders.check_api.strategies.tensors import ids, normal
from graders.course.exercise import load_assignment
from graders.course.reference import reference
from graders.judging.draws import Draws
from tests.course.test_peers_bert import close, ours

SEEDS = range(3)
E = 12


@pytest.fixture(scope="module")
def transformers():
    """The library, imported only here, since that takes seconds."""
    return pytest.importorskip("transformers")


@pytest.fixture(scope="module")
def modeling_bert(transformers):
    """The module of the library that holds BERT and its heads."""
    return pytest.importorskip("transformers.models.bert.modeling_bert")


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.slow
def test_the_pooler_is_that_of_the_transformers_library(transformers, modeling_bert, seed):
    pooler = ours("bert_pooler", "BertPooler", E, seed=seed)
    theirs = modeling_bert.BertPooler(transformers.BertConfig(hidden_size=E, num_attention_heads=3)).double()
    theirs.load_state_dict(pooler.state_dict())
    x = normal(3, 5, E, seed=seed, dtype=torch.float64)
    close(pooler(x), theirs(x))


@pytest.mark.parametrize(
    ("of_a", "of_b", "length"), [(2, 3, 12), (3, 2, 8), (9, 2, 8), (2, 9, 9), (6, 6, 11)]
)
@pytest.mark.slow
def test_two_segments_are_laid_out_as_by_the_transformers_library(transformers, of_a, of_b, length):
    """Where an odd number of places is left for two long segments, its newer code gives one more to b."""
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghijklmnopqrstuvwxyz"]
    tokenizer = transformers.BertTokenizer(vocab={word: n for n, word in enumerate(words)})
    first, second = words[5:][:of_a], words[-of_b:]
    theirs = tokenizer(
        " ".join(first), " ".join(second), padding="max_length", max_length=length, truncation="longest_first"
    )
    rows = reference("pair_inputs", "pair_inputs")(
        [words.index(word) for word in first], [words.index(word) for word in second], 2, 3, length
    )
    assert list(rows) == [theirs[key] for key in ("input_ids", "token_type_ids", "attention_mask")]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.slow
def test_labels_shifted_here_cost_what_the_transformers_library_takes_for_labels_that_it_shifts(
    transformers, seed
):
    prompt, answer, eos = (1 + ids(9, vocabulary=20, seed=seed)).tolist(), [3, 1, 4, 1], 0
    config = transformers.GPT2Config(vocab_size=21, n_positions=16, n_embd=E, n_layer=1, n_head=2)
    model = transformers.GPT2LMHeadModel(config).eval()
    inputs, targets = reference("instruction_labels", "instruction_labels")(prompt, answer, eos)
    text = torch.tensor([[*prompt, *answer, eos]])
    labels = torch.tensor([[-100] * len(prompt) + [*answer, eos]])
    logits = model(torch.tensor([inputs])).logits
    loss = torch.nn.functional.cross_entropy(logits[0], torch.tensor(targets))
    torch.testing.assert_close(loss, model(text, labels=labels).loss)


@pytest.mark.parametrize("seed", range(20))
def test_the_best_span_is_that_of_all_pairs_tried_one_after_another(seed):
    size, longest = 1 + seed % 7, 1 + seed % 5
    start, end = (normal(size, seed=seed + n, scale=3.0, dtype=torch.float64) for n in (0, 100))
    pairs = [(i, j) for i in range(size) for j in range(size) if 0 <= j - i < longest]
    best = max(pairs, key=lambda pair: float(start[pair[0]] + end[pair[1]]))
    assert reference("best_span", "best_span")(start, end, longest) == best


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.slow
def test_the_head_that_fills_gaps_is_that_of_the_transformers_library(transformers, modeling_bert, seed):
    head = ours("mlm_head", "MaskedLMHead", 17, E, seed=seed)
    config = transformers.BertConfig(
        vocab_size=17, hidden_size=E, num_attention_heads=3, hidden_act="gelu", layer_norm_eps=1e-12
    )
    theirs = modeling_bert.BertLMPredictionHead(config).double()
    table, state = normal(17, E, seed=seed + 9, dtype=torch.float64), head.state_dict()
    bias = state.pop("bias")
    own = {"decoder.weight": table, "decoder.bias": bias, "bias": bias}
    missing = theirs.load_state_dict(
        {f"transform.{name}": value for name, value in state.items()} | own, strict=False
    ).missing_keys
    assert not missing
    x = normal(2, 5, E, seed=seed, dtype=torch.float64)
    close(head(x, table), theirs(x))


@pytest.mark.slow
def test_the_collator_of_the_transformers_library_masks_as_every_check_asks_for(transformers):
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *(f"w{n}" for n in range(35))]
    tokenizer = transformers.BertTokenizer(vocab={word: n for n, word in enumerate(words)})

    def mask_tokens(ids, special, vocab_size, mask_id, share=0.15):
        assert (vocab_size, mask_id) == (len(tokenizer), tokenizer.mask_token_id)
        collator = transformers.DataCollatorForLanguageModeling(tokenizer, mlm_probability=share)
        return collator.torch_mask_tokens(ids.clone(), special.clone())

    [exercise] = load_assignment("bert_tasks").only(["mask_tokens"]).exercises
    draws = Draws(1)
    candidate = LocalCandidate(mask_tokens, partial(draws.mapping_draws, exercise))
    for check in exercise.value_checks:
        for example in draws.for_check(exercise, check):
            check.judge(candidate, example.draw, *example.answer)


def _of_bert(transformers, name: str, **more):
    """A tiny BERT with a head of the library, in float64, and what its encoder gives for some ids."""
    config = transformers.BertConfig(
        vocab_size=17,
        hidden_size=E,
        num_attention_heads=3,
        num_hidden_layers=1,
        intermediate_size=8,
        max_position_embeddings=9,
        **more,
    )
    model = getattr(transformers, name)(config).double().eval()
    words = ids(3, 6, vocabulary=17, seed=1)
    return model, words, model.bert(words).last_hidden_state


@pytest.mark.slow
def test_the_class_of_a_sentence_is_that_of_the_transformers_library(transformers):
    model, words, states = _of_bert(transformers, "BertForSequenceClassification", num_labels=4)
    head = reference("sequence_classifier", "SequenceClassifier")(E, 4).double().eval()
    pooler = {f"pooler.{name}": value for name, value in model.bert.pooler.state_dict().items()}
    of_classes = {f"classifier.{name}": value for name, value in model.classifier.state_dict().items()}
    head.load_state_dict(pooler | of_classes)
    close(head(states), model(words).logits)


@pytest.mark.slow
def test_starts_and_ends_are_those_of_the_transformers_library(transformers):
    model, words, states = _of_bert(transformers, "BertForQuestionAnswering")
    head = reference("span_head", "SpanHead")(E).double()
    both = model.qa_outputs
    for column, layer in enumerate((head.start, head.end)):
        layer.load_state_dict(
            {"weight": both.weight[column : column + 1], "bias": both.bias[column : column + 1]}
        )
    expected = model(words)
    for mine, theirs in zip(head(states), (expected.start_logits, expected.end_logits), strict=True):
        close(mine, theirs)


@pytest.mark.slow
def test_the_class_of_a_word_and_its_loss_are_those_of_the_transformers_library(transformers):
    model, words, states = _of_bert(transformers, "BertForTokenClassification", num_labels=4)
    head = reference("token_classifier", "TokenClassifier")(E, 4).double().eval()
    head.classifier.load_state_dict(model.classifier.state_dict())
    labels = ids(3, 6, vocabulary=4, seed=2).masked_fill(ids(3, 6, vocabulary=3, seed=3) == 0, -100)
    expected = model(words, labels=labels)
    for mine, theirs in zip(head(states, labels), (expected.logits, expected.loss), strict=True):
        close(mine, theirs)
