import torch
import torch.nn as nn
import torch.nn.functional as F


class BertEmbeddings(nn.Module):
    def __init__(self, vocab_size, hidden_size, max_position_embeddings, type_vocab_size):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocab_size, hidden_size)
        self.position_embeddings = nn.Embedding(max_position_embeddings, hidden_size)
        self.token_type_embeddings = nn.Embedding(type_vocab_size, hidden_size)
        self.LayerNorm = nn.LayerNorm(hidden_size)

    def forward(self, input_ids, token_type_ids=None):
        x = self.word_embeddings.weight[input_ids]
        x = x + self.position_embeddings.weight[: input_ids.shape[-1]]
        if token_type_ids is not None:
            x = x + self.token_type_embeddings.weight[token_type_ids]
        else:
            x = x + self.token_type_embeddings.weight[0]
        return F.dropout(self.LayerNorm(x), 0.1, training=self.training)


class MultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        assert hidden_size % num_heads == 0, "hidden_size doit être un multiple de num_heads"
        self.num_heads = num_heads
        self.head_dim = hidden_size // num_heads
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)
        self.out = nn.Linear(hidden_size, hidden_size)

    def forward(self, hidden_states, attention_mask=None):
        q, k, v = (
            f(hidden_states).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
            for f in (self.query, self.key, self.value)
        )
        x = F.scaled_dot_product_attention(q, k, v, attn_mask=attention_mask)
        return self.out(x.transpose(1, 2).flatten(2))


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        self.fc1 = nn.Linear(hidden_size, intermediate_size)
        self.fc2 = nn.Linear(intermediate_size, hidden_size)

    def forward(self, x):
        return self.fc2(F.gelu(self.fc1(x), approximate="tanh"))


class BertLayer(nn.Module):
    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__()
        self.attention = MultiHeadSelfAttention(hidden_size, num_heads)
        self.ff = PositionwiseFeedForward(hidden_size, intermediate_size)
        self.attention_layer_norm, self.ff_layer_norm = nn.LayerNorm(hidden_size), nn.LayerNorm(hidden_size)

    def add_and_norm(self, norm, x, answer):
        return norm(torch.add(x, F.dropout(answer, p=0.1, training=self.training)))

    def forward(self, hidden_states, attention_mask=None):
        x = self.add_and_norm(
            self.attention_layer_norm,
            hidden_states,
            self.attention(hidden_states, attention_mask=attention_mask),
        )
        return self.add_and_norm(self.ff_layer_norm, x, self.ff(x))


class BertEncoder(nn.Module):
    def __init__(self, num_layers, hidden_size, num_heads, intermediate_size):
        super().__init__()
        self.layers = nn.Sequential(
            *[BertLayer(hidden_size, num_heads, intermediate_size) for _ in range(num_layers)]
        )

    def forward(self, hidden_states, attention_mask=None):
        all_states = [hidden_states]
        for number, layer in enumerate(self.layers):
            all_states.append(layer(all_states[number], attention_mask))
        return all_states[-1]


class SimpleBertModel(nn.Module):
    def __init__(
        self,
        vocab_size=30522,
        hidden_size=128,
        num_heads=4,
        num_layers=4,
        intermediate_size=256,
        max_position_embeddings=512,
        type_vocab_size=2,
    ):
        super().__init__()
        self.emb = BertEmbeddings(vocab_size, hidden_size, max_position_embeddings, type_vocab_size)
        self.enc = BertEncoder(num_layers, hidden_size, num_heads, intermediate_size)

    def forward(self, input_ids, token_type_ids=None, attention_mask=None):
        x = self.emb(input_ids, token_type_ids)
        added = None if attention_mask is None else (attention_mask == 0)[:, None, None].to(x.dtype) * -1e9
        return self.enc(x, added)
