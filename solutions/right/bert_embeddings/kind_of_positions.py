import torch
import torch.nn as nn


class BertEmbeddings(nn.Module):
    """Its configuration may say of what kind the positions are, and where the norms stand."""

    def __init__(self, config):
        super().__init__()
        self.words = nn.Embedding(config.vocab_size, config.hidden_size)
        self.places = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.segments = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.kind = getattr(config, "position_embedding_type", "absolute")
        self.norm = nn.Identity()
        if not getattr(config, "pre_layer_norm", False):
            self.norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids, token_type_ids=None):
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        x = self.words(input_ids) + self.segments(token_type_ids)
        if self.kind == "absolute":
            x = x + self.places(torch.arange(input_ids.shape[1]))
        return self.drop(self.norm(x))
