"""The server: loopback unless TLS is given, no log of what is asked, and an end within a second."""

from __future__ import annotations

import asyncio
import ipaddress
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, ClassVar

from sharewell.errors import DataError, PolicyError

if TYPE_CHECKING:
    import uvicorn

    from sharewell.queries.service.app import Service

USUAL_HOST, USUAL_PORT = "127.0.0.1", 8400


@dataclass(frozen=True)
class Place:
    """Where the service listens, and with what certificate."""

    host: str = USUAL_HOST
    port: int = USUAL_PORT
    certificate: Path | None = None
    key: Path | None = None
    insecure: bool = False

    packages: ClassVar[tuple[str, ...]] = ("starlette", "uvicorn", "polars", "opendp")

    def __post_init__(self) -> None:
        if (self.certificate is None) != (self.key is None):
            raise PolicyError("--tls-cert and --tls-key — belong together — give both, or neither", "serve")
        if not 0 <= self.port < 1 << 16:
            raise PolicyError("--port — there is no such port — choose one from 1 to 65535, or 0 for any", "serve")
        if not (is_loopback(self.host) or self.certificate is not None or self.insecure):
            what = "--host — others could read tokens and answers on their way"
            hint = "give --tls-cert and --tls-key, or say --insecure behind a proxy that has TLS"
            raise PolicyError(f"{what} — {hint}", "serve")
        for file in (self.certificate, self.key):
            if file is not None and not file.is_file():
                raise DataError(f"{file} — there is no such file — name the certificate and its key, in PEM")

    def url(self, port: int) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'http' if self.certificate is None else 'https'}://{host}:{port}"


def is_loopback(host: str) -> bool:
    """Is it an address that only this machine reaches?

    >>> [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "db.example.org")]
    [True, True, True, False, False]
    """
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def serve(service: Service, place: Place, ready: Callable[[str], None]) -> None:
    """Serve until Ctrl-C or SIGTERM. `ready` is told the address when connections are accepted."""
    server = _server(service, place, ready)
    earlier = signal.signal(signal.SIGTERM, _stopped)
    try:
        server.run()
    except KeyboardInterrupt:
        pass  # the usual end
    except SystemExit:
        what = f"{place.host} port {place.port} — cannot be listened on"
        raise DataError(f"{what} — choose another --port, or 0 for any") from None
    except OSError:
        if place.certificate is None:
            raise
        raise DataError("--tls-cert and --tls-key — cannot be used together — give both in PEM") from None
    finally:
        signal.signal(signal.SIGTERM, earlier)
        service.close()


def _server(service: Service, place: Place, ready: Callable[[str], None]) -> uvicorn.Server:
    import uvicorn

    class Server(uvicorn.Server):
        """Says where it listens, and sends those away who wait when it stops."""

        loop: asyncio.AbstractEventLoop | None = None

        async def startup(self, *args: object, **options: object) -> None:
            await super().startup(*args, **options)  # type: ignore[arg-type]
            self.loop = asyncio.get_running_loop()
            ready(place.url(self.servers[0].sockets[0].getsockname()[1]))
            service.begin()

        async def shutdown(self, *args: object, **options: object) -> None:
            """Replies that are ready go out; then connections are cut, which TLS would keep open for a goodbye."""
            asyncio.get_running_loop().call_later(service.limits.minimum, self._cut)
            await super().shutdown(*args, **options)  # type: ignore[arg-type]

        def _cut(self) -> None:
            for connection in list(self.server_state.connections):
                connection.transport.abort()

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            if self.loop is not None:  # not here: the interrupted code may hold the lock
                self.loop.call_soon_threadsafe(service.workers.stop)
            super().handle_exit(sig, frame)

    config = uvicorn.Config(
        service.app,
        host=place.host,
        port=place.port,
        ssl_certfile=place.certificate,
        ssl_keyfile=place.key,
        access_log=False,
        log_config=None,
        log_level="critical",
        server_header=False,
        proxy_headers=False,
        http="h11",
        ws="none",
        lifespan="off",
        loop="asyncio",
        timeout_keep_alive=5,
        timeout_graceful_shutdown=0.5,  # type: ignore[arg-type]  # seconds for asyncio, which takes parts of one
        limit_concurrency=4 * service.limits.at_once,
    )
    return Server(config)


def _stopped(number: int, frame: FrameType | None) -> None:
    """After the server has ended in order, uvicorn sends itself the signal again."""
    raise KeyboardInterrupt
