"""What a move costs with nothing behind it: `python -m bench.load.baselines --port P`.

`WS /echo/{table}/{seat}`: the live table's loop without game, rules and storage: a move frame is parsed, the frames of
a usual move go to both seats, and its answer to whoever moved. `POST /moves`: a bare Starlette route that validates the
body and answers with ready bytes. Both under uvicorn as the server runs it.
"""

import argparse
from typing import Any

import orjson
import uvicorn
from fastapi import FastAPI, WebSocket
from pydantic import BaseModel, ConfigDict, TypeAdapter
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.websockets import WebSocketDisconnect

AT = "2026-03-01T12:00:00.000Z"
EVENTS = orjson.dumps(
    {
        "type": "events", "version": 1234,
        "events": [
            {"seq": 1233, "type": "discarded", "at": AT, "seat": 0, "card": "2C"},
            {"seq": 1234, "type": "turn_started", "at": AT, "seat": 1, "phase": "draw", "deadline": None},
        ],
    }
).decode()  # fmt: skip
ANSWER = b'{"version":1234,"events":' + orjson.dumps(orjson.loads(EVENTS)["events"]) + b"}"


class MoveBody(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    move: dict[str, Any]
    seat: int | None = None
    if_version: int | None = None


BODY = TypeAdapter(MoveBody)
echo = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
tables: dict[str, dict[str, WebSocket]] = {}


@echo.websocket("/echo/{table}/{seat}")
async def echoed(websocket: WebSocket, table: str, seat: str) -> None:
    """Both seats' frames, and the mover's answer."""
    await websocket.accept()
    seats = tables.setdefault(table, {})
    seats[seat] = websocket
    try:
        while True:
            frame = orjson.loads(await websocket.receive_text())
            for other in seats.values():
                await other.send_text(EVENTS)
            if frame["type"] == "move":
                answer = {"type": "result", "id": frame["id"], "ok": True, "version": 1234, "now": AT}
                await websocket.send_text(orjson.dumps(answer).decode())
    except WebSocketDisconnect:
        pass


async def move(request: Request) -> Response:
    """Validates and answers."""
    BODY.validate_json(await request.body())
    return Response(ANSWER, media_type="application/json")


plain = Starlette(routes=[Route("/v1/games/{id}/moves", move, methods=["POST"])])


async def app(scope: Any, receive: Any, send: Any) -> None:
    """The echo for streams, the bare route for requests."""
    await (plain if scope["type"] == "http" else echo)(scope, receive, send)


def main() -> None:
    """Serves until it is ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    uvicorn.run(
        app, host="127.0.0.1", port=parser.parse_args().port, loop="uvloop", http="httptools",
        ws="websockets-sansio", ws_per_message_deflate=False, lifespan="off", log_level="warning", access_log=False,
        timeout_keep_alive=300,
    )  # fmt: skip


if __name__ == "__main__":
    main()
