"""Compiles the players' own source, and the lean table, with numba: for training only."""

import hashlib
import os
import tempfile
import types
from pathlib import Path

_PLAYERS = Path(__file__).parents[1] / "server" / "ai"
_SOURCES = [Path(__file__).with_name("lean_table.py")]
_SOURCES += [_PLAYERS / f"{name}.py" for name in ("masks", "sight", "evaluate", "plan", "simple")]
_DIGEST = hashlib.sha256(b"".join(path.read_bytes() for path in _SOURCES)).hexdigest()
os.environ["NUMBA_CACHE_DIR"] = str(Path(tempfile.gettempdir()) / f"rummy500-numba-{_DIGEST[:16]}")

import numpy as np
from numba import njit
from numba import types as nbt
from numba.extending import intrinsic, overload_method

from server.ai import evaluate, masks, plan, sight, simple
from tools import lean_table


@intrinsic
def _popcount(typingctx, value):
    sig = nbt.int64(nbt.int64)

    def codegen(context, builder, signature, args):
        return builder.ctpop(args[0])

    return sig, codegen


@overload_method(nbt.Integer, "bit_count")
def _bit_count(value):
    def impl(value):
        return _popcount(np.int64(value))

    return impl


def compile_all():
    """Replaces every function of the modules the players are made of by its compiled form."""
    done = {}
    modules = (masks, sight, evaluate, plan, simple, lean_table)
    for module in modules:
        for name, value in list(vars(module).items()):
            if isinstance(value, types.FunctionType) and name not in ("point_table", "near_in_melds"):
                if value not in done:
                    done[value] = njit(value, cache=True)
                setattr(module, name, done[value])
    for module in modules:
        for name, value in list(vars(module).items()):
            if isinstance(value, tuple) and value and isinstance(value[0], int):
                setattr(module, name, np.array(value, np.int64))
    return lean_table
