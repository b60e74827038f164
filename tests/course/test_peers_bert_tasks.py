"""The references of the tasks of BERT compute what the transformers library and PyTorch compute."""

import pytest
import torch

from graders.check_api.strategies.tensors import normal
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
