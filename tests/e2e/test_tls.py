"""`serve` with a certificate: wrong files are named at once, and SIGHUP reads renewed ones."""

import asyncio
import signal

import pytest

from tests.client.local_server import TEST_TIMEOUT_SECONDS
from tests.e2e.servers import ServerProcess, server_error
from tests.server.connections.test_tls import Files, files, greet

__all__ = ["files"]


def options(files: Files, database_url: str, *more: str) -> tuple[str, ...]:
    own = ("--tls-cert", str(files.certificate), "--tls-key", str(files.key))
    return (*own, "--database-url", database_url, "--port", "0", "--bot-workers", "0", *more)


async def greet_by_new_certificate(url: str, files: Files) -> str:
    """Send `hello` once every process that serves has read the certificate."""
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
        while True:
            try:
                return await greet(url, files.trust)
            except OSError:  # the former certificate, which is of another authority
                await asyncio.sleep(0.05)


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_hangup_reads_the_certificate_and_stops_nothing(database_url: str, files: Files, workers: str) -> None:
    async with ServerProcess(*options(files, database_url, "--workers", workers)) as server:
        assert server.url.startswith("wss://")
        assert await greet(server.url, files.trust) == "welcome"
        files.renew()
        server.process.send_signal(signal.SIGHUP)
        assert await greet_by_new_certificate(server.url, files) == "welcome"
        code, said = await server.terminate()
    assert code == 0
    assert said.count("certificate read again") == int(workers)


async def test_spoiled_certificate_is_logged_on_hangup(database_url: str, files: Files) -> None:
    async with ServerProcess(*options(files, database_url)) as server:
        assert server.process.stderr is not None
        files.key.write_bytes(b"spoiled")
        server.process.send_signal(signal.SIGHUP)
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
            while b"certificate not read" not in (line := await server.process.stderr.readline()):
                assert line
        assert f"tls_key: {files.key} holds no private key in PEM form" in line.decode()
        assert await greet(server.url, files.trust) == "welcome"


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_wrong_certificate_is_named_before_anything_starts(files: Files, workers: str) -> None:
    files.key.unlink()
    said = await server_error(*options(files, "postgresql://nobody@127.0.0.1:1/nothing", "--workers", workers))
    assert said == f"diskwars: tls_key: {files.key} cannot be read: No such file or directory\n"
