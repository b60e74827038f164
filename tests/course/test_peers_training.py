"""The references of the training assignment compute what PyTorch, transformers and tokenizers compute."""

import json
from inspect import signature

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from graders.check_api.strategies.tensors import normal, seeds, sizes
from graders.checks.train_bpe import find_clear
from graders.course.reference import reference
from softmark_worker.lent_layers import GPTParts
from tests.support.peers import peer

TEXTS = st.text(st.sampled_from("abcdé\n Z"), min_size=1, max_size=12)


@given(TEXTS)
@settings(max_examples=20)
def test_a_character_has_the_id_that_a_vocabulary_of_single_characters_gives_it(text):
    tokenizers = peer("tokenizers")
    due = sorted(set(text))
    chars, encoded, decoded = reference("char_tokenizer", "char_tokenizer")(text, text, [*range(len(due))])
    theirs = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({char: place for place, char in enumerate(due)})
    )
    theirs.pre_tokenizer = tokenizers.pre_tokenizers.Split(tokenizers.Regex(r"[\s\S]"), "isolated")
    assert encoded == theirs.encode(text).ids
    assert list(decoded) == chars == [theirs.id_to_token(place) for place in range(len(chars))]


@given(sizes(1, 3), sizes(1, 3), st.sampled_from([1e-8, 0.5]), st.sampled_from([0.0, 0.5]), seeds())
@settings(max_examples=10)
def test_adamw_step_is_that_of_pytorchs_optimizer_over_several_steps(rows, columns, eps, decay, seed):
    step = reference("adamw_step", "adamw_step")
    p, m, v = normal(rows, columns, seed=seed, dtype=torch.float64), torch.zeros(()), torch.zeros(())
    options = {"betas": (0.8, 0.9), "eps": eps, "weight_decay": decay}
    theirs = torch.nn.Parameter(p.clone())
    optimizer = torch.optim.AdamW([theirs], lr=0.25, **options)
    for t in range(1, 4):
        g = normal(rows, columns, seed=seed + t, dtype=torch.float64)
        theirs.grad = g
        optimizer.step()
        p, m, v = step(p, g, m, v, t, 0.25, *options.values())
        torch.testing.assert_close(p, theirs.data)


def test_adamw_steps_defaults_are_those_of_pytorchs_optimizer():
    names = signature(reference("adamw_step", "adamw_step")).parameters
    theirs = torch.optim.AdamW([torch.nn.Parameter(torch.ones(1))]).defaults
    assert {name: names[name].default for name in ("betas", "eps", "weight_decay")} == {
        name: theirs[name] for name in ("betas", "eps", "weight_decay")
    }


@given(sizes(0, 5), sizes(2, 9))
@settings(max_examples=10)
def test_the_learning_rate_is_that_of_transformers_schedule_with_a_least_of_0(warmup, fall):
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=0.5)
    schedule = peer("transformers").get_cosine_schedule_with_warmup(optimizer, warmup, warmup + fall)
    for step in range(warmup + fall + 1):
        mine = reference("learning_rate", "lr_at")(step, warmup + fall, warmup, 0.5, 0.0)
        assert mine == pytest.approx(schedule.get_last_lr()[0], abs=1e-12)
        optimizer.step()
        schedule.step()


def test_init_weights_draws_what_transformers_draws():
    transformers = peer("transformers")
    sizes_of = {"n_embd": 64, "n_layer": 3, "n_head": 2, "vocab_size": 90, "n_positions": 60}
    theirs = transformers.GPT2LMHeadModel(transformers.GPT2Config(**sizes_of, tie_word_embeddings=False))
    for parameter in theirs.parameters():
        parameter.data.fill_(0.5)
    for module in theirs.modules():
        module._is_hf_initialized = False
    theirs.apply(theirs._init_weights)
    mine = GPTParts(90, 64, 60, 3, tied=False)
    reference("init_weights", "init_weights")(mine, 3)
    values = dict(theirs.named_parameters())
    for name, value in mine.named_parameters():
        due = values[name].detach()
        if value.dim() == 2:
            assert float(value.detach().std()) == pytest.approx(float(due.std()), rel=0.1), name
        else:
            assert torch.equal(value, due), name


@given(sizes(18, 26), seeds())
@settings(max_examples=20)
def test_merges_and_ids_are_those_of_tokenizers_where_one_pair_is_the_commonest(length, seed):
    tokenizers, corpus = peer("tokenizers"), find_clear("abcd ", length, 3, seed)
    text, count = corpus.text, corpus.num_merges
    theirs = tokenizers.Tokenizer(tokenizers.models.BPE())
    size = len(set(text)) + count
    theirs.train_from_iterator([text], tokenizers.trainers.BpeTrainer(vocab_size=size, show_progress=False))
    merges = reference("train_bpe", "train_bpe")(text, count)
    pieces = [chr(number) for number in range(256)]
    for left, right in merges:
        pieces.append(pieces[left] + pieces[right])
    learned = json.loads(theirs.to_str())["model"]["merges"]
    assert [[pieces[left], pieces[right]] for left, right in merges] == learned
    ids = reference("bpe_encode", "bpe_encode")(text[::-1], merges)
    assert [pieces[number] for number in ids] == theirs.encode(text[::-1]).tokens
