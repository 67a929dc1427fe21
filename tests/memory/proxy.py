"""A TCP proxy that stands between a session and its server, and can be made to fail."""

from __future__ import annotations

import asyncio
import socket
import struct
from typing import Self


class Proxy:
    """Passes bytes on to `host:port`, or to the socket at the path `host`.

    `reset()` breaks every connection; `hold` stops passing anything on while connections stay open;
    `reset_after` breaks every connection at the first bytes from the client that hold this text, and with
    `dies` nothing is let in from then on, until `refuse` is False again; `delay` is how long each piece
    waits, in seconds.
    """

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self._go = asyncio.Event()
        self._go.set()
        self.delay = 0.0
        self.reset_after: bytes | None = None
        self.refuse = self.dies = False
        self.passed = 0
        self._pairs: list[tuple[asyncio.StreamWriter, asyncio.StreamWriter]] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.at = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *error: object) -> None:
        self._server.close()
        self.reset()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def hold(self) -> bool:
        return not self._go.is_set()

    @hold.setter
    def hold(self, hold: bool) -> None:
        (self._go.clear if hold else self._go.set)()

    def reset(self) -> None:
        """Break every connection the hard way, as a killed server does."""
        for pair in self._pairs:
            for writer in pair:
                _reset(writer)
        self._pairs.clear()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        if self.refuse:
            _reset(writer)
            return
        if self.host.startswith("/"):
            there, to = await asyncio.open_unix_connection(self.host)
        else:
            there, to = await asyncio.open_connection(self.host, self.port)
        self._pairs.append((writer, to))
        forth = asyncio.ensure_future(self._pass(reader, to, from_client=True))
        back = asyncio.ensure_future(self._pass(there, writer, from_client=False))
        self._tasks |= {forth, back}

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, from_client: bool
    ) -> None:
        try:
            while piece := await reader.read(65536):
                await self._go.wait()
                if self.delay:
                    await asyncio.sleep(self.delay)
                if from_client and self.reset_after and self.reset_after in piece:
                    self.reset_after = None
                    self.refuse = self.dies
                    self.reset()
                    return
                self.passed += len(piece)
                writer.write(piece)
                await writer.drain()
            writer.close()
        except OSError:
            writer.close()


def _reset(writer: asyncio.StreamWriter) -> None:
    """Close with a reset instead of a farewell."""
    connection = writer.get_extra_info("socket")
    if connection is not None and not writer.is_closing():
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
