"""Runs the system's programs that give rights: su, passwd, mount, sudo, fusermount.

outcome: raised
"""

import glob
import os
import stat


def attack():
    for folder in ("/usr/bin", "/usr/sbin", "/usr/lib/*", "/usr/libexec"):
        for path in glob.glob(folder + "/*"):
            try:
                if not os.stat(path).st_mode & (stat.S_ISUID | stat.S_ISGID) or not os.path.isfile(path):
                    continue
                reader, writer = os.pipe()
                pid = os.fork()
            except OSError:
                continue
            if pid == 0:
                try:
                    os.execv(path, [path, "--help"])
                finally:
                    os._exit(1)
            with open(f"/proc/{pid}/status") if os.path.exists(f"/proc/{pid}/status") else open(os.devnull) as file:
                if "Uid:\t1000\t0" in file.read():
                    return "softmark-harm: " + path
            os.kill(pid, 9)
            os.waitpid(pid, 0)
            os.close(reader)
            os.close(writer)
    with open("/proc/self/status") if os.path.exists("/proc/self/status") else open(os.devnull) as file:
        if "NoNewPrivs:\t0" in file.read():
            return "softmark-harm: " + "may gain rights by running programs"
    return "no rights"


FOUND = attack()


def concat_heads(x):
    raise ValueError(FOUND)
