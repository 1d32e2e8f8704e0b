"""CPU players' choices in processes of their own, so that the event loop never waits for one."""

from __future__ import annotations

import asyncio
import ctypes
import multiprocessing
import os
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import structlog

from server import ai
from server.tables.ports import Question

log = structlog.get_logger("cpu")

STUCK_AFTER = 20.0
PR_SET_PDEATHSIG = 1


class CpuPool:
    """`server.tables.ports.CpuPlayers` over a pool of processes; a worker that dies or hangs is replaced."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None

    async def choose(
        self, level: str, view: dict[str, Any], events: list[dict[str, Any]], legal: list[dict[str, Any]], seed: bytes
    ) -> dict[str, Any]:
        """The MOVE of a CPU player; TimeoutError where a worker hangs."""
        return dict(await self._run(ai.choose, level, view, events, legal, seed))

    async def hint(
        self, view: dict[str, Any], events: list[dict[str, Any]], legal: list[dict[str, Any]], seed: bytes
    ) -> dict[str, Any]:
        """The expert's move and its reason."""
        return dict(await self._run(ai.hint, view, events, legal, seed))

    async def review(self, questions: Sequence[Question]) -> list[dict[str, Any]]:
        """What the expert would have done."""
        return list(await self._run(review_all, list(questions)))

    async def _run(self, work: Callable[..., Any], *arguments: Any) -> Any:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._workers, mp_context=multiprocessing.get_context("spawn"), initializer=quiet_worker
            )
        pool = self._pool
        try:
            future = pool.submit(work, *arguments)
            async with asyncio.timeout(STUCK_AFTER):
                return await asyncio.wrap_future(future)
        except (BrokenProcessPool, TimeoutError) as error:
            log.error("cpu_worker_lost", error=type(error).__name__)
            if self._pool is pool:
                self._pool = None
                self._end(pool)
            raise

    @staticmethod
    def _end(pool: ProcessPoolExecutor) -> None:
        processes = list((pool._processes or {}).values())  # noqa: SLF001 - the pool has no way to end a hung worker
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()

    def stop(self) -> None:
        """Ends the workers."""
        if self._pool is not None:
            self._end(self._pool)
            self._pool = None


def review_all(questions: list[Question]) -> list[dict[str, Any]]:
    """Several reviews in one job."""
    return [dict(ai.review_turn(*question)) for question in questions]


def quiet_worker() -> None:
    """A worker ends with its parent, leaves Ctrl-C to it, and gives way to the server."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(os, "nice"):
        os.nice(5)
    if os.uname().sysname == "Linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() == 1:
            os._exit(0)
