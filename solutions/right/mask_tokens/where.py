import torch


def mask_tokens(tokens, special_mask, vocab_size, mask_token, mlm_probability=0.15):
    chosen = torch.rand(tokens.shape).lt(mlm_probability) & ~special_mask
    dice = torch.rand(tokens.shape)
    noise = torch.randint_like(tokens, vocab_size)
    replacement = torch.where(dice < 0.8, mask_token, torch.where(dice < 0.9, noise, tokens))
    return torch.where(chosen, replacement, tokens), torch.where(chosen, tokens, -100)
