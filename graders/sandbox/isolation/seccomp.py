"""Which system calls student code may make: those that PyTorch on Python needs, and no others.

The host compiles the filter to BPF with libseccomp, which the box does not have.
"""

import contextlib
import errno
import functools
import os
import tempfile
from typing import Any

from graders.language import tr

CLONE_THREAD = 0x00010000  # linux/sched.h
SIGABRT = 6
PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, PR_SET_VMA = 15, 16, 3, 0x53564D41  # linux/prctl.h
# ioctl requests about a descriptor itself: TCGETS, TIOCGWINSZ, FIONREAD, FIONCLEX, FIOCLEX, FIONBIO of
# asm-generic/ioctls.h. TIOCSTI and TIOCLINUX, which inject input into a terminal, are not among them.
TERMINAL = (0x5401, 0x5413, 0x541B, 0x5450, 0x5451, 0x5421)
NVIDIA = 0x4600  # the second byte of the driver's requests ('F')

_FILES = """
    read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 open openat openat2 creat close
    close_range stat fstat lstat newfstatat statx statfs fstatfs access faccessat faccessat2 lseek getdents
    getdents64 getcwd chdir fchdir mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 readlink
    readlinkat ftruncate fallocate fsync fdatasync sync_file_range flock fcntl fadvise64 readahead sendfile
    copy_file_range umask dup dup2 dup3 pipe pipe2 poll ppoll select pselect6 epoll_create epoll_create1
    epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd eventfd2 getxattr lgetxattr fgetxattr
"""
_MEMORY = "mmap munmap mremap mprotect madvise brk msync mincore membarrier get_mempolicy"
_PROCESS = """
    exit exit_group getpid getppid gettid getuid geteuid getgid getegid getresuid getresgid getgroups getpgrp
    getpgid getsid futex futex_waitv set_robust_list get_robust_list rseq set_tid_address wait4 waitid
    arch_prctl sched_yield sched_getaffinity sched_getscheduler sched_getparam
    sched_get_priority_max sched_get_priority_min getcpu getpriority times getrusage getrlimit sysinfo uname
    getrandom restart_syscall capget
"""
_TIME = """
    clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time alarm setitimer getitimer
"""
_SIGNALS = """
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigtimedwait rt_sigpending rt_sigsuspend sigaltstack pause
"""
ALLOWED = tuple(" ".join((_FILES, _MEMORY, _PROCESS, _TIME, _SIGNALS)).split())
# Allowed if there is a scratch folder, else refused: Landlock does not control all of these.
IN_SCRATCH = (
    "truncate",
    "chmod",
    "fchmod",
    "fchmodat",
    "utimensat",
    "symlink",
    "symlinkat",
    "link",
    "linkat",
)
# Refused with EPERM, so that an honest program reports a missing permission. All other calls fail with
# ENOSYS, after which the C library falls back to an older call.
_REFUSED = """
    fork vfork execve execveat socket socketpair connect bind listen accept accept4 sendto recvfrom
    sendmsg recvmsg sendmmsg recvmmsg shutdown kill tkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_open
    pidfd_send_signal pidfd_getfd ptrace process_vm_readv process_vm_writev kcmp mount umount2
    move_mount open_tree fsopen fsmount fsconfig fspick mount_setattr pivot_root chroot unshare setns
    bpf perf_event_open io_uring_setup io_uring_enter io_uring_register userfaultfd add_key request_key
    keyctl shmget shmat shmctl shmdt semget semop semctl msgget msgsnd msgrcv msgctl mq_open mq_unlink
    memfd_create memfd_secret setuid setgid setreuid setregid setresuid setresgid setgroups setfsuid
    setfsgid setrlimit setsid setpgid setpriority setxattr lsetxattr fsetxattr chown fchown lchown
    fchownat mknod mknodat personality landlock_create_ruleset landlock_add_rule landlock_restrict_self
    capset init_module finit_module delete_module kexec_load reboot swapon swapoff syslog
    open_by_handle_at name_to_handle_at quotactl acct settimeofday clock_settime clock_adjtime adjtimex
    sethostname setdomainname iopl ioperm fanotify_init vhangup sched_setscheduler sched_setparam
    sched_setattr
"""
REFUSED = tuple(_REFUSED.split())
_OPTIMIZE, _BINARY_TREE = 8, 2  # SCMP_FLTATR_CTL_OPTIMIZE of seccomp.h


class NoFilter(Exception):
    """No filter can be made here. Text for staff."""


@functools.cache
def compile_filter(*, scratch: bool, own_processes: bool, cuda: bool) -> bytes:
    """The filter as BPF for this machine's architecture.

    Args:
        scratch: whether there is a folder to write to.
        own_processes: whether the process sees no others, so that it may send itself SIGABRT.
        cuda: whether to allow ioctl requests to the GPU's driver.

    Raises:
        NoFilter: libseccomp or its Python binding is not installed.
    """
    try:
        import pyseccomp as seccomp  # only here: it does not import where libseccomp is not installed
    except (ImportError, RuntimeError, OSError) as error:
        raise NoFilter(tr("libseccomp cannot be used: {reason}", reason=error)) from error
    filter_ = seccomp.SyscallFilter(seccomp.ERRNO(errno.ENOSYS))
    filter_.set_attr(_OPTIMIZE, _BINARY_TREE)
    arg, allow, refuse = seccomp.Arg, seccomp.ALLOW, seccomp.ERRNO(errno.EPERM)

    def rule(action: int, name: str, *conditions: object) -> None:
        with contextlib.suppress(ValueError):  # a call that this libseccomp does not know
            filter_.add_rule(action, seccomp.resolve_syscall(seccomp.system_arch(), name), *conditions)

    for name in (*ALLOWED, *(IN_SCRATCH if scratch else ())):
        rule(allow, name)
    for name in (*REFUSED, *(() if scratch else IN_SCRATCH)):
        rule(refuse, name)
    # Threads are allowed, processes are not; clone3 gets ENOSYS, since a filter cannot read its flags.
    rule(allow, "clone", arg(0, seccomp.MASKED_EQ, CLONE_THREAD, CLONE_THREAD))
    rule(refuse, "clone", arg(0, seccomp.MASKED_EQ, CLONE_THREAD, 0))
    rule(allow, "prlimit64", arg(2, seccomp.EQ, 0))  # to read a limit, not to set it
    rule(refuse, "prlimit64", arg(2, seccomp.NE, 0))
    for option in (PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, PR_SET_VMA):
        rule(allow, "prctl", arg(0, seccomp.EQ, option))
    if own_processes:  # for abort() in the C library, so that the crash is reported as SIGABRT
        rule(allow, "tgkill", arg(2, seccomp.EQ, SIGABRT))
    # Masked, since the kernel reads 32 of the 64 bits (CVE-2019-10063).
    for request in TERMINAL:
        rule(allow, "ioctl", arg(1, seccomp.MASKED_EQ, 0xFFFFFFFF, request))
    if cuda:
        rule(allow, "ioctl", arg(1, seccomp.MASKED_EQ, 0xFF00, NVIDIA))
        rule(allow, "mlock")
    return _export(filter_)


def _export(filter_: Any) -> bytes:
    with tempfile.TemporaryFile() as file:
        filter_.export_bpf(file)
        file.seek(0, os.SEEK_SET)
        return file.read()
