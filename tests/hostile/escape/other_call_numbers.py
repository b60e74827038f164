"""Makes system calls under the numbers of other tables: 32 bits, x32, and numbers that do not exist.

outcome: raised
says: SIGSYS
bites: open
"""

import ctypes
import mmap
import os
import platform

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
X32 = 0x40000000
UNSHARE, USER = 272, 0x10000000
# mov eax, 310 (unshare of the 32-bit table); mov ebx, CLONE_NEWUSER; int 0x80; ret
CODE = b"\x53\xb8\x36\x01\x00\x00\xbb\x00\x00\x00\x10\xcd\x80\x5b\xc3"


def by_code():
    room = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    room.write(CODE)
    call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof((ctypes.c_char * 1).from_buffer(room)))
    return call()


def attempt():
    done = []
    if platform.machine() == "x86_64":
        if libc.syscall(ctypes.c_long(X32 | UNSHARE), ctypes.c_long(USER)) == 0:
            done.append("x32")
        if by_code() == 0:
            done.append("32 bits")
    for number in (-1, 600, 1 << 20, (1 << 31) - 1, 512 + X32):
        if libc.syscall(ctypes.c_long(number), 0, 0, 0) >= 0:
            done.append(str(number))
    return done


def attack():
    reader, writer = os.pipe()
    try:
        pid = os.fork()
    except OSError:
        return " ".join(attempt())
    if pid == 0:
        os.write(writer, " ".join(attempt()).encode() or b" ")
        os._exit(0)
    os.waitpid(pid, 0)
    os.close(writer)
    return os.read(reader, 100).decode().strip()


SEEN = []


def concat_heads(x):
    if not SEEN:
        SEEN.append(attack())
    raise ValueError("softmark-harm: " + SEEN[0] if SEEN[0] else "no such call")
