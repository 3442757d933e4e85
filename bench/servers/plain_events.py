"""A server of events on Starlette and uvicorn, written as their documentation suggests.

    python -m bench.servers.plain_events EVENTS.json

The file has the events, one text each. `/stories/N` is a stream of them that any number may read.
`/tell?stories=S&rate=R&seconds=T` has the first S streams tell R events per second each.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from socket import socket

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, StreamingResponse
from starlette.routing import Route


class Story:
    """One stream of events, and a queue for each reader."""

    def __init__(self) -> None:
        self._queues: set[asyncio.Queue[str]] = set()

    def tell(self, event: str) -> None:
        for queue in self._queues:
            queue.put_nowait(event)

    async def read(self) -> AsyncIterator[str]:
        queue: asyncio.Queue[str] = asyncio.Queue()
        self._queues.add(queue)
        try:
            yield ":\n\n"
            while True:
                yield await queue.get()
        finally:
            self._queues.remove(queue)


def application(events: list[str]) -> Starlette:
    stories: dict[int, Story] = {}

    async def read(request: Request) -> StreamingResponse:
        story = stories.setdefault(int(request.path_params["number"]), Story())
        return StreamingResponse(story.read(), media_type="text/event-stream")

    async def tell(request: Request) -> JSONResponse:
        query = request.query_params
        rate, seconds = float(query["rate"]), float(query["seconds"])
        told = round(rate * seconds)
        for number in range(told):
            for story in range(int(query["stories"])):
                stories.setdefault(story, Story()).tell(events[number % len(events)])
            await asyncio.sleep(1 / rate)
        return JSONResponse({"told": told})

    return Starlette(routes=[Route("/stories/{number}", read), Route("/tell", tell)])


class Announced(uvicorn.Server):
    """Says where it listens, as all servers here do."""

    async def startup(self, sockets: list[socket] | None = None) -> None:
        await super().startup(sockets)
        port = self.servers[0].sockets[0].getsockname()[1]
        sys.stdout.write(f"plain ready on http://127.0.0.1:{port}\n")
        sys.stdout.flush()


def main() -> None:
    events = json.loads(Path(sys.argv[1]).read_text())
    config = uvicorn.Config(application(events), port=0, log_level="error", access_log=False)
    Announced(config).run()


if __name__ == "__main__":
    main()
