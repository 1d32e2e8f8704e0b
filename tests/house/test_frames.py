"""The WebSocket protocol's short cuts: frames are read and written as by the full parser, however packets are cut."""

import asyncio
import random
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from server.cli.websocket import WRITE, LingeringProtocol

HANDSHAKE = (
    b"GET /stream HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


class Wire(asyncio.Transport):
    """What the protocol writes, and nothing else."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.gone = False

    def write(self, data: Any) -> None:
        self.written.append(bytes(data))

    def is_closing(self) -> bool:
        return self.gone

    def close(self) -> None:
        self.gone = True

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


class Listener:
    """An application that accepts and keeps what it hears."""

    def __init__(self) -> None:
        self.heard: list[Any] = []
        self.scope: dict[str, Any] = {}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.scope = scope
        await receive()
        await send({"type": "websocket.accept"})
        while True:
            message = await receive()
            self.heard.append(message.get("text", message.get("bytes", message.get("code"))))
            if message["type"] == "websocket.disconnect":
                return


def frame(first: int, payload: bytes, chance: random.Random) -> bytes:
    """A client's frame."""
    mask = chance.randbytes(4)
    size = len(payload)
    head = bytes((first, 0x80 | size)) if size < 126 else bytes((first, 0xFE)) + size.to_bytes(2, "big")
    return head + mask + bytes(byte ^ mask[index & 3] for index, byte in enumerate(payload))


async def opened() -> tuple[LingeringProtocol, Wire, Listener]:
    """A connection after its handshake."""
    app, wire = Listener(), Wire()
    config = uvicorn.Config(app, ws_max_size=16 * 1024, ws_per_message_deflate=False, log_config=None)
    config.load()
    protocol = LingeringProtocol(config, ServerState(), {})
    protocol.connection_made(wire)
    protocol.data_received(HANDSHAKE)
    await settled()
    assert wire.written[0].startswith(b"HTTP/1.1 101")
    return protocol, wire, app


async def settled() -> None:
    """Lets the application go as far as it can."""
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.mark.parametrize("seed", range(30))
async def test_frames_are_read_the_same_however_packets_are_cut(seed: int) -> None:
    """Texts of all lengths, pings and messages in pieces arrive whole and in order, in any packets."""
    chance = random.Random(seed)
    protocol, _, app = await opened()
    sent: list[str] = []
    packets: list[bytes] = []
    for number in range(40):
        text = f"{number}:" + "é7♥"[: chance.randrange(4)] * chance.choice((0, 1, 40, 60, 300))
        raw = text.encode()
        kind = chance.randrange(8)
        if kind == 0:
            packets.append(frame(0x89, b"ping", chance))
            continue
        if kind == 1:
            packets += [frame(0x01, raw[:2], chance), frame(0x80, raw[2:], chance)]
        else:
            packets.append(frame(0x81, raw, chance))
        sent.append(text)
    if seed % 3:  # else each frame is a packet of its own
        stream = b"".join(packets)
        cuts = sorted(chance.sample(range(1, len(stream)), chance.choice((1, 5, 60))))
        packets = [stream[low:high] for low, high in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    for packet in packets:
        protocol.data_received(packet)
        await settled()
    assert app.heard == sent
    protocol.connection_lost(None)
    protocol.stop_keepalive()
    await settled()


async def test_a_frame_within_a_frame_is_text() -> None:
    """The rest of a frame that was cut may look like a frame itself; it is what it is, the rest."""
    protocol, _, app = await opened()
    inner = bytes((0x81, 0x85)) + b"\x80" * 4 + bytes(0x80 | letter for letter in b"hello")
    outer = bytes((0x81, 0x80 | 4 + len(inner))) + b"\x80" * 4 + b"\xa0" * 4
    protocol.data_received(outer)
    protocol.data_received(inner)
    await settled()
    text = "    " + bytes(byte ^ 0x80 for byte in inner).decode()
    assert app.heard == [text]
    protocol.connection_lost(None)
    protocol.stop_keepalive()
    await settled()


async def test_frames_that_are_wrong_go_to_the_full_parser() -> None:
    """An unmasked frame, bad UTF-8 and a frame over the limit close with the code that they have always had."""
    chance = random.Random(1)
    for packet, code in (
        (b"\x81\x02{}", 1002), (frame(0x81, b"\xff\xfe", chance), 1007), (frame(0x81, b"x" * 20_000, chance), 1009),
    ):  # fmt: skip
        protocol, wire, _ = await opened()
        protocol.data_received(packet)
        await settled()
        assert code.to_bytes(2, "big") in wire.written[-1]
        if protocol.close_timer is not None:
            protocol.close_timer.cancel()
        protocol.connection_lost(None)
        protocol.stop_keepalive()
        await settled()


async def test_text_is_written_at_once_or_not_at_all() -> None:
    """A written text is one frame; nothing is written while the client does not read, or once it has gone."""
    protocol, wire, app = await opened()
    write = app.scope["extensions"][WRITE]["text"]
    for size in (0, 125, 126, 65_535, 65_536):
        assert write(b"x" * size)
        data = wire.written[-1]
        assert data[0] == 0x81
        head = 2 if size < 126 else 4 if size < 65_536 else 10
        assert len(data) == head + size
        assert size == (data[1] if head == 2 else int.from_bytes(data[2:head], "big"))
    protocol.pause_writing()
    assert not write(b"later")
    protocol.resume_writing()
    assert write(b"now")
    wire.gone = True
    assert not write(b"too late")
    protocol.connection_lost(None)
    protocol.stop_keepalive()
    await settled()


@pytest.mark.parametrize("sizes", [(0, 5), (125, 126), (126, 70_000), (70_000, 3)])
async def test_two_frames_of_one_packet_are_two_frames(sizes: tuple[int, int]) -> None:
    """What goes out together reads as if it had gone out one after the other."""
    protocol, wire, app = await opened()
    write = app.scope["extensions"][WRITE]["text"]
    first, second = (bytes([97 + size % 26]) * size for size in sizes)
    before = len(wire.written)
    assert write(first)
    assert write(second)
    apart = b"".join(wire.written[before:])
    before = len(wire.written)
    assert write(second, first)
    assert wire.written[before:] == [apart]
    protocol.connection_lost(None)
    protocol.stop_keepalive()
    await settled()
