"""CPU players' choices as jobs in Redis, for `rummy500 cpu-worker` processes on any machine.

A server process adds a job to a stream and waits for the answer in a list of its own. Workers read the stream as one
group: a job whose worker dies or hangs is taken over by another, which makes the same choice, since it is a function
of the job. A table has one job under way at a time, so jobs of a game never overtake each other and a table with
eight CPU players waits in line like one with a single one.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import signal
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from types import FrameType
from typing import Any

import orjson
import redis
import redis.asyncio as aredis
import structlog

from server import ai
from server.tables.ports import CpuPlayers, Question

log = structlog.get_logger("cpu")

JOBS = "rummy500:cpu:jobs"
GROUP = "workers"
ANSWERS = "rummy500:cpu:answers:"
PATIENCE = 9.0  # s that a server waits for an answer
STUCK = 4.0  # s after which another worker takes a job over
LIMIT = 3.0  # s of computing that a worker gives one job
KEPT = 120  # s that answers nobody fetches are kept


class RedisCpu:
    """`server.tables.ports.CpuPlayers` through Redis; while Redis is away `fallback` computes here."""

    def __init__(self, url: str, process: str, fallback: CpuPlayers) -> None:
        self._redis = aredis.Redis.from_url(url, socket_timeout=10, socket_connect_timeout=2, protocol=3)
        self._list = ANSWERS + process
        self._fallback = fallback
        self._waiting: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._reader: asyncio.Task[None] | None = None

    async def choose(
        self, level: str, view: dict[str, Any], events: list[dict[str, Any]], legal: list[dict[str, Any]], seed: bytes
    ) -> dict[str, Any]:
        """The MOVE of a CPU player; TimeoutError where no worker answers, RuntimeError where one fails."""
        try:
            return dict(await self._job("choose", [level, view, events, legal, seed.hex()]))
        except Away:
            return await self._fallback.choose(level, view, events, legal, seed)

    async def hint(
        self, view: dict[str, Any], events: list[dict[str, Any]], legal: list[dict[str, Any]], seed: bytes
    ) -> dict[str, Any]:
        """The expert's move and its reason."""
        try:
            return dict(await self._job("hint", [view, events, legal, seed.hex()]))
        except Away:
            return await self._fallback.hint(view, events, legal, seed)

    async def review(self, questions: Sequence[Question]) -> list[dict[str, Any]]:
        """What the expert would have done."""
        asked = [[*question[:4], question[4].hex()] for question in questions]
        try:
            return list(await self._job("review", [asked]))
        except Away:
            return await self._fallback.review(questions)

    async def _job(self, work: str, arguments: list[Any]) -> Any:
        if self._reader is None or self._reader.done():
            self._reader = asyncio.create_task(self._read())
        job = secrets.token_hex(8)
        body = orjson.dumps([work, arguments])
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[job] = future
        try:
            await self._redis.xadd(JOBS, {"j": job, "a": self._list, "b": body}, maxlen=100_000)
            async with asyncio.timeout(PATIENCE):
                return await future
        except (redis.RedisError, OSError) as error:
            if isinstance(error, TimeoutError):
                raise
            log.warning("cpu_jobs_without_redis", error=type(error).__name__)
            raise Away from error
        finally:
            self._waiting.pop(job, None)

    async def _read(self) -> None:
        while True:
            try:
                found = await self._redis.blpop([self._list], timeout=5)
            except (redis.RedisError, OSError):
                await asyncio.sleep(0.5)
                continue
            if found is None:
                continue
            answer = orjson.loads(found[1])
            future = self._waiting.get(answer["j"])
            if future is None or future.done():
                continue
            if "result" in answer:
                future.set_result(answer["result"])
            else:
                future.set_exception(RuntimeError(answer["error"]))

    async def stop(self) -> None:
        """Closes."""
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)
        with contextlib.suppress(Exception):
            await self._redis.aclose()


def _choose(arguments: list[Any]) -> Any:
    level, view, events, legal, seed = arguments
    return ai.choose(level, view, events, legal, bytes.fromhex(seed))


def _hint(arguments: list[Any]) -> Any:
    view, events, legal, seed = arguments
    return ai.hint(view, events, legal, bytes.fromhex(seed))


def _review(arguments: list[Any]) -> Any:
    return [
        ai.review_turn(view, events, legal, made, bytes.fromhex(seed))
        for view, events, legal, made, seed in arguments[0]
    ]


WORK: dict[str, Callable[[list[Any]], Any]] = {"choose": _choose, "hint": _hint, "review": _review}


class Away(Exception):
    """Redis is away."""


class TooLong(Exception):
    """A choice took longer than a worker gives it."""


class Worker:
    """One worker: takes jobs, one after another."""

    def __init__(self, url: str, tell: Callable[[str], None]) -> None:
        self._redis: Any = redis.Redis.from_url(url, socket_timeout=10, socket_connect_timeout=2, protocol=2)
        self._name = f"{socket.gethostname()}:{secrets.token_hex(4)}"
        self._tell = tell
        self._swept = 0.0
        self.stopping = False

    def run(self) -> None:
        """Works until `stopping`; goes on when Redis comes back."""
        signal.signal(signal.SIGALRM, _too_long)
        ready = False
        while not self.stopping:
            try:
                if not ready:
                    self._make_group()
                    self._tell("ready")
                    ready = True
                self._work()
            except (redis.RedisError, OSError) as error:
                if "NOGROUP" in str(error):
                    ready = False
                    continue
                log.warning("redis_away", error=type(error).__name__)
                time.sleep(0.5)

    def _make_group(self) -> None:
        try:
            self._redis.xgroup_create(JOBS, GROUP, id="0", mkstream=True)
        except redis.ResponseError as error:
            if "BUSYGROUP" not in str(error):
                raise

    def _work(self) -> None:
        """One job, or a short wait for one; now and then those that others left lying."""
        if time.monotonic() - self._swept > 1:
            self._swept = time.monotonic()
            claimed = self._redis.xautoclaim(JOBS, GROUP, self._name, int(STUCK * 1000), count=1)
            for message_id, fields in claimed[1]:
                self._do(message_id, fields)
        found = self._redis.xreadgroup(GROUP, self._name, {JOBS: ">"}, count=1, block=1000)
        for _, messages in found or []:
            for message_id, fields in messages:
                self._do(message_id, fields)

    def _do(self, message_id: bytes, fields: Mapping[bytes, bytes]) -> None:
        job = fields[b"j"].decode()
        try:
            work, arguments = orjson.loads(fields[b"b"])
            signal.setitimer(signal.ITIMER_REAL, LIMIT)
            try:
                answer = {"j": job, "result": WORK[work](arguments)}
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        except Exception as error:
            log.exception("cpu_choice_failed")
            answer = {"j": job, "error": f"{type(error).__name__}: {error}"}
        pipeline = self._redis.pipeline(transaction=True)
        where = fields[b"a"]
        pipeline.rpush(where, orjson.dumps(answer))
        pipeline.expire(where, KEPT)
        pipeline.xack(JOBS, GROUP, message_id)
        pipeline.xdel(JOBS, message_id)
        pipeline.execute()

    def stop(self) -> None:
        """Ends after the present job."""
        self.stopping = True


def _too_long(_number: int, _frame: FrameType | None) -> None:
    raise TooLong
