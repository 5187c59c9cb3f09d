"""A server that speaks TLS itself: its certificate, wrong files, and a certificate that is renewed."""

import asyncio
import json
import ssl
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
import trustme
from msgspec.structs import replace
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidMessage

from diskwars_protocol.connection.connection import encode
from diskwars_protocol.messages.handshake import Hello
from diskwars_server.app import new_event_loop, start_server
from diskwars_server.connections.tls import TlsCertificate
from diskwars_server.settings import ServerSettings, SettingsError, load_settings
from diskwars_server.store.memory.database import MemoryDatabase
from tests.client.local_server import TEST_TIMEOUT_SECONDS

LOCKED_KEY = b"-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
CUT_KEY = b"-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n"


class Files:
    """The two files of a certificate, and what a client has to trust to accept it."""

    def __init__(self, folder: Path) -> None:
        self.certificate, self.key = folder / "fullchain.pem", folder / "privkey.pem"
        self.trust = ssl.create_default_context()

    def renew(self) -> None:
        """Write a certificate of another authority."""
        authority = trustme.CA()
        issued = authority.issue_cert("127.0.0.1")
        self.certificate.write_bytes(b"".join(part.bytes() for part in issued.cert_chain_pems))
        self.key.write_bytes(issued.private_key_pem.bytes())
        self.trust = ssl.create_default_context()
        authority.configure_trust(self.trust)

    @property
    def settings(self) -> ServerSettings:
        return ServerSettings(port=0, tls_cert=self.certificate, tls_key=self.key)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    files = Files(tmp_path)
    files.renew()
    return files


async def greet(url: str, trust: ssl.SSLContext) -> str:
    """Send `hello`, and return the type of the answer."""
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS), connect(url, ssl=trust) as socket:
        await socket.send(encode(Hello((1,))), text=True)
        return str(json.loads(await socket.recv())["type"])


async def test_server_with_a_certificate_speaks_tls_alone(files: Files) -> None:
    async with MemoryDatabase() as database, start_server(files.settings, database) as transport:
        assert transport.url.startswith("wss://127.0.0.1:")
        assert await greet(transport.url, files.trust) == "welcome"
        health = transport.url.replace("wss", "https", 1).replace("/ws", "/healthz")

        def read_health() -> str:
            with urllib.request.urlopen(health, context=files.trust, timeout=TEST_TIMEOUT_SECONDS) as answer:
                return str(json.load(answer)["status"])

        assert await asyncio.to_thread(read_health) == "ok"
        with pytest.raises(ssl.SSLCertVerificationError):
            await greet(transport.url, ssl.create_default_context())
        with pytest.raises((InvalidMessage, ConnectionError)):
            async with connect(transport.url.replace("wss", "ws", 1), open_timeout=TEST_TIMEOUT_SECONDS):
                pass


@pytest.mark.parametrize("make_loop", [asyncio.new_event_loop, new_event_loop])
def test_connection_without_a_place_is_refused_over_tls(
    files: Files, make_loop: Callable[[], asyncio.AbstractEventLoop]
) -> None:
    settings = replace(files.settings, address_connections=1)

    async def run() -> None:
        async with (
            MemoryDatabase() as database,
            start_server(settings, database) as transport,
            asyncio.timeout(TEST_TIMEOUT_SECONDS),
            connect(transport.url, ssl=files.trust),
        ):
            port = int(transport.url.rpartition(":")[2].partition("/")[0])
            reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=files.trust)
            answer = await reader.read()
            assert answer.startswith(b"HTTP/1.1 503 ")
            assert json.loads(answer.partition(b"\r\n\r\n")[2])["code"] == "too_many_connections"
            writer.close()

    with asyncio.Runner(loop_factory=make_loop) as runner:
        runner.run(run())


@pytest.mark.parametrize("make_loop", [asyncio.new_event_loop, new_event_loop])
def test_connections_that_do_not_agree_on_tls_are_bounded_for_each_address(
    files: Files, make_loop: Callable[[], asyncio.AbstractEventLoop]
) -> None:
    settings = replace(files.settings, address_connections=4)

    async def run() -> None:
        async with (
            MemoryDatabase() as database,
            start_server(settings, database) as transport,
            asyncio.timeout(TEST_TIMEOUT_SECONDS),
        ):
            port = int(transport.url.rpartition(":")[2].partition("/")[0])
            silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
            refused, writer = await asyncio.open_connection("127.0.0.1", port)
            assert await refused.read() == b""
            assert not any(reader.at_eof() for reader, _ in silent), "the server still waits for these"
            writer.close()
            for _, waiting in silent:
                waiting.transport.abort()
            while True:  # until the server has noticed
                try:
                    assert await greet(transport.url, files.trust) == "welcome"
                except (OSError, InvalidMessage):
                    await asyncio.sleep(0.01)
                else:
                    break

    with asyncio.Runner(loop_factory=make_loop) as runner:
        runner.run(run())


async def test_renewed_certificate_is_for_connections_from_then_on(files: Files) -> None:
    async with MemoryDatabase() as database, start_server(files.settings, database) as transport:
        assert transport.certificate is not None
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS), connect(transport.url, ssl=files.trust) as old:
            former_trust = files.trust
            files.renew()
            transport.certificate.reload()
            assert await greet(transport.url, files.trust) == "welcome"
            with pytest.raises(ssl.SSLCertVerificationError):
                await greet(transport.url, former_trust)
            await old.send(encode(Hello((1,))), text=True)
            assert json.loads(await old.recv())["type"] == "welcome"


async def test_certificate_stays_in_use_when_its_files_are_spoiled(files: Files) -> None:
    async with MemoryDatabase() as database, start_server(files.settings, database) as transport:
        assert transport.certificate is not None
        trust, key = files.trust, files.key.read_bytes()
        files.renew()
        files.key.write_bytes(key)  # of the former certificate
        with pytest.raises(SettingsError, match="is not the key"):
            transport.certificate.reload()
        assert await greet(transport.url, trust) == "welcome"


def no_certificate(files: Files) -> str:
    files.certificate.unlink()
    return f"tls_cert: {files.certificate} cannot be read: No such file or directory"


def no_key(files: Files) -> str:
    files.key.unlink()
    return f"tls_key: {files.key} cannot be read: No such file or directory"


def folder_as_key(files: Files) -> str:
    files.key.unlink()
    files.key.mkdir()
    return f"tls_key: {files.key} cannot be read: Is a directory"


def exchanged(files: Files) -> str:
    files.certificate.write_bytes(files.key.read_bytes())
    return f"tls_cert: {files.certificate} holds no certificate in PEM form"


def certificate_as_key(files: Files) -> str:
    files.key.write_bytes(files.certificate.read_bytes())
    return f"tls_key: {files.key} holds no private key in PEM form"


def locked_key(files: Files) -> str:
    files.key.write_bytes(LOCKED_KEY)
    return f"tls_key: {files.key} is locked with a password; the server needs a key without one"


def key_of_another(files: Files) -> str:
    certificate = files.certificate.read_bytes()
    files.renew()
    files.certificate.write_bytes(certificate)
    return f"tls_key: {files.key} is not the key of the certificate in {files.certificate}"


def cut_key(files: Files) -> str:
    files.key.write_bytes(CUT_KEY)
    return f"tls_cert: {files.certificate} and {files.key} cannot be used: "


@pytest.mark.parametrize(
    "spoil",
    [
        no_certificate,
        no_key,
        folder_as_key,
        exchanged,
        certificate_as_key,
        locked_key,
        key_of_another,
        cut_key,
    ],
)
def test_wrong_file_is_named_with_what_is_wrong(files: Files, spoil: Callable[[Files], str]) -> None:
    text = spoil(files)
    with pytest.raises(SettingsError) as fault:
        TlsCertificate(files.certificate, files.key)
    assert str(fault.value).startswith(text)
    assert "BEGIN" not in str(fault.value)


@pytest.mark.parametrize(("given", "missing"), [("tls_cert", "tls_key"), ("tls_key", "tls_cert")])
def test_certificate_and_key_go_together(given: str, missing: str) -> None:
    with pytest.raises(SettingsError, match=f"^{given}: it goes with {missing}, which is not given$"):
        load_settings({given: "file.pem"}, {})
