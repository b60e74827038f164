import torch
import torch.nn.functional as F


@torch.no_grad()
def sample_name(model, stop_id, max_len):
    mode = model.training
    model.eval()
    idx = torch.tensor([[stop_id]])
    out = []
    for _ in range(max_len):
        logits = model(idx)
        probs = F.softmax(logits[:, -1, :], dim=-1)
        idx_next = torch.multinomial(probs, num_samples=1)
        if idx_next.item() == stop_id:
            break
        out.append(idx_next.item())
        idx = torch.cat((idx, idx_next), dim=1)
    model.train(mode)
    return out
