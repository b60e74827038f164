def global_mask(local, is_global):
    sees_all = is_global.unsqueeze(2)
    seen_by_all = is_global.unsqueeze(1)
    return local & ~(sees_all | seen_by_all)
