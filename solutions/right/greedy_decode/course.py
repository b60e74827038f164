import torch


def greedy_decode(model, src, start_id, stop_id, pad_id, max_len):
    model.eval()
    with torch.no_grad():
        memory = model.encode(src)
        batch_size = src.size(0)
        ys = torch.full((batch_size, 1), start_id, dtype=torch.long, device=src.device)
        finished = torch.zeros(batch_size, dtype=torch.bool, device=src.device)
        for _ in range(max_len):
            logits = model.decode(ys, memory)
            next_id = torch.argmax(logits[:, -1, :], dim=-1)
            next_id = torch.where(finished, torch.full_like(next_id, pad_id), next_id)
            ys = torch.cat([ys, next_id.unsqueeze(1)], dim=1)
            finished = finished | next_id.eq(stop_id)
            if finished.all():
                break
    return ys
