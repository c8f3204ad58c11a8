"""Closes the network to one thread, so that what it runs cannot reach out whatever it is given.

On Linux a seccomp filter refuses the thread every call that opens, binds or uses a socket. It needs no rights, holds
for this thread (and those that it starts) until it ends, and leaves all other threads as they are: a language model
whose address was configured is still reached. Elsewhere there is no such filter, and the grammar of `store/sparql`
stands alone.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
import sys
import threading
from collections.abc import Sequence
from functools import cache
from typing import Final

_SET_NO_NEW_PRIVS: Final = 38
_SET_SECCOMP: Final = 22
_MODE_FILTER: Final = 2
_LOAD_WORD, _JUMP_EQUAL, _JUMP_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW: Final = 0x7FFF0000
_REFUSE: Final = 0x00050000 | errno.EACCES
_NUMBER_AT, _MACHINE_AT = 0, 4
"""Where the number of a system call and the machine's kind stand in what a filter is shown."""
_X32_FROM: Final = 0x40000000

# By machine: its audit number, and the numbers of socket, connect, accept, sendto, sendmsg, bind, listen, sendmmsg,
# accept4, io_uring_setup and io_uring_enter (which open sockets past a filter), and pidfd_getfd.
_MACHINES: Final = {
    "x86_64": (0xC000003E, (41, 42, 43, 44, 46, 49, 50, 307, 288, 425, 426, 438)),
    "aarch64": (0xC00000B7, (198, 203, 202, 206, 211, 200, 201, 269, 242, 425, 426, 438)),
}
_OWN: Final = threading.local()


def can_seal() -> bool:
    """Whether this system lets a thread be closed off from the network. It is tried once, on a thread of its own."""
    return _tried() == ""


def why_unsealed() -> str:
    """Why this system does not; empty where it does."""
    return _tried()


def seal_thread() -> bool:
    """Closes the network to the calling thread for good; says whether it is closed."""
    if getattr(_OWN, "sealed", False):
        return True
    if _tried() != "":
        return False
    _OWN.sealed = _apply() == ""
    return _OWN.sealed


def is_sealed() -> bool:
    """Whether the calling thread was closed off."""
    return getattr(_OWN, "sealed", False)


@cache
def _tried() -> str:
    if sys.platform != "linux":
        return f"{platform.system() or sys.platform} has no filter for system calls that a thread can set for itself"
    if platform.machine() not in _MACHINES:
        return f"no filter was written for {platform.machine()}"
    outcome: list[str] = []
    thread = threading.Thread(target=lambda: outcome.append(_apply()), daemon=True)
    thread.start()
    thread.join()
    return outcome[0] if outcome else "the filter could not be tried"


def _apply() -> str:
    """Sets the filter for the calling thread; empty, or why it was not set."""
    libc = ctypes.CDLL(None, use_errno=True)
    program = _filter(*_MACHINES[platform.machine()])
    code = ctypes.create_string_buffer(program, len(program))
    held = _Program(len(program) // 8, ctypes.cast(code, ctypes.c_void_p))
    zero = ctypes.c_ulong(0)
    if libc.prctl(_SET_NO_NEW_PRIVS, ctypes.c_ulong(1), zero, zero, zero) != 0:
        return f"the system refuses no_new_privs (error {ctypes.get_errno()})"
    if libc.prctl(_SET_SECCOMP, ctypes.c_ulong(_MODE_FILTER), ctypes.byref(held), zero, zero) != 0:
        return f"the system refuses a filter for system calls (error {ctypes.get_errno()})"
    return ""


class _Program(ctypes.Structure):
    """struct sock_fprog."""

    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))


def _filter(machine: int, calls: Sequence[int]) -> bytes:
    """Classic BPF: calls of another machine's kind, of the x32 kind, and `calls` are refused, all else is allowed."""
    refuse_at = len(calls) + 5
    code = [
        (_LOAD_WORD, 0, 0, _MACHINE_AT),
        (_JUMP_EQUAL, 0, refuse_at - 2, machine),
        (_LOAD_WORD, 0, 0, _NUMBER_AT),
        (_JUMP_AT_LEAST, refuse_at - 4, 0, _X32_FROM),
        *((_JUMP_EQUAL, refuse_at - at - 1, 0, call) for at, call in enumerate(calls, 4)),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSE),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in code)
