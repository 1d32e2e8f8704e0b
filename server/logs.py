"""Log lines: for people (text) or one JSON object each, from structlog and from the libraries alike, on stderr."""

import asyncio
import logging
import sys
import time
from typing import Literal

import orjson
import structlog
import structlog.tracebacks
from structlog.typing import Processor

# the variables of a frame hold tokens, seeds and hands, and take long to write down
without_locals = structlog.tracebacks.ExceptionDictTransformer(show_locals=False, max_frames=30)
NOISY = ("uvicorn.access", "asyncio", "alembic", "httpx")


def configure(style: Literal["text", "json"], level: str = "info") -> None:
    """Set up logging for this process; later calls replace earlier ones."""
    number = logging.getLevelNamesMapping()[level.upper()]
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    if style == "json":
        shared.append(structlog.processors.ExceptionRenderer(without_locals))
        final: Processor = structlog.processors.JSONRenderer(sort_keys=False)
    else:
        final = structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.stdlib.ExtraAdder()],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, final],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(number)
    for name in ("uvicorn", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
        logger.setLevel(max(number, logging.WARNING))
    for name in NOISY:
        logging.getLogger(name).setLevel(max(number, logging.WARNING))
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(number),
        cache_logger_on_first_use=False,
    )


class Journal:
    """One line a command, written apart from other log lines because there are so many: a few together, soon.

    Lines say what kind of command, by whom, of which game, and how it ended; never a card, a seed or a token.
    """

    def __init__(self, style: Literal["text", "json"], level: str = "info") -> None:
        self._json = style == "json"
        self._on = logging.getLevelNamesMapping()[level.upper()] <= logging.INFO
        self._lines: list[bytes] = []

    def __call__(self, event: str, **fields: object) -> None:
        """Writes a line; fields that are None are left out."""
        if not self._on:
            return
        told = {"event": event, **{name: value for name, value in fields.items() if value is not None}}
        told["timestamp"] = time.time()
        self._lines.append(orjson.dumps(told) if self._json else _plain(told))
        if len(self._lines) == 1:
            try:
                asyncio.get_running_loop().call_later(0.2, self.flush)
            except RuntimeError:
                self.flush()

    def flush(self) -> None:
        """Writes what has gathered."""
        lines, self._lines = self._lines, []
        if lines:
            sys.stderr.write(b"\n".join(lines).decode() + "\n")
            sys.stderr.flush()


def _plain(told: dict[str, object]) -> bytes:
    at = time.strftime("%H:%M:%S", time.gmtime())
    rest = " ".join(f"{name}={value}" for name, value in told.items() if name not in ("event", "timestamp"))
    return f"{at} {told['event']} {rest}".encode()
