"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

from solutions.transformer_block import TransformerBlock


def count_parameters(embed_dim, num_heads, ff_dim):
    block = TransformerBlock(embed_dim, num_heads, ff_dim)
    return sum(parameter.numel() for parameter in block.parameters())


def count_parameters__without_attention_bias(embed_dim, num_heads, ff_dim):
    """The biases of the attention's four layers are missing."""
    return count_parameters(embed_dim, num_heads, ff_dim) - 4 * embed_dim


def count_parameters__three_projections(embed_dim, num_heads, ff_dim):
    """One of the attention's four layers is missing: W_o counts too."""
    return count_parameters(embed_dim, num_heads, ff_dim) - embed_dim * (embed_dim + 1)


def count_parameters__one_norm(embed_dim, num_heads, ff_dim):
    """A block has two norms."""
    return count_parameters(embed_dim, num_heads, ff_dim) - 2 * embed_dim


def count_parameters__without_norms(embed_dim, num_heads, ff_dim):
    """The norms have parameters too."""
    return count_parameters(embed_dim, num_heads, ff_dim) - 4 * embed_dim


def count_parameters__without_feed_forward_bias(embed_dim, num_heads, ff_dim):
    """The biases of the feed-forward network are missing."""
    return count_parameters(embed_dim, num_heads, ff_dim) - embed_dim - ff_dim


def count_parameters__per_head(embed_dim, num_heads, ff_dim):
    """The attention's layers are counted once per head; the heads share them out."""
    attention = 4 * (embed_dim * embed_dim + embed_dim)
    return count_parameters(embed_dim, num_heads, ff_dim) + (num_heads - 1) * attention


def count_parameters__always_four_times(embed_dim, num_heads, ff_dim):
    """The inner width is taken to be 4 * E, whatever ff_dim says."""
    return count_parameters(embed_dim, num_heads, 4 * embed_dim)


def count_parameters__a_float(embed_dim, num_heads, ff_dim):
    """The answer is a float."""
    return float(count_parameters(embed_dim, num_heads, ff_dim))
