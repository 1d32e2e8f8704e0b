"""Log lines: for people (text) or one JSON object each, from structlog and from the libraries alike, on stderr."""

import logging
import sys
from typing import Literal

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
