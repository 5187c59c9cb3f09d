"""The certificate of a server that speaks TLS itself: read from files, and read again while it serves."""

import asyncio
import contextlib
import logging
import re
import signal
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path

from diskwars_server.settings import ServerSettings, SettingsError

log = logging.getLogger(__name__)

CERTIFICATE_MARK = b"-----BEGIN CERTIFICATE-----"
KEY_MARK = re.compile(rb"-----BEGIN (?:RSA |EC )?PRIVATE KEY-----")
LOCKED_KEY_MARKS = (b"-----BEGIN ENCRYPTED PRIVATE KEY-----", b"Proc-Type: 4,ENCRYPTED")


class TlsCertificate:
    """A certificate with its key, and the context that new connections use."""

    def __init__(self, certificate: Path, key: Path) -> None:
        """Read both files. Raises SettingsError."""
        self._certificate, self._key = certificate, key
        self.context = _load(certificate, key)

    def reload(self) -> None:
        """Read both files again, for connections from now on. Raises SettingsError; then nothing changes."""
        # A context that has taken a certificate and refuses the key would serve neither the old pair nor the new one.
        _load(self._certificate, self._key)
        self.context.load_cert_chain(self._certificate, self._key)


def load_certificate(settings: ServerSettings) -> TlsCertificate | None:
    """Return the certificate that the settings name, if they do. Raises SettingsError."""
    if settings.tls_cert is None or settings.tls_key is None:
        return None
    return TlsCertificate(settings.tls_cert, settings.tls_key)


@contextlib.contextmanager
def reload_on_hangup(certificate: TlsCertificate | None) -> Iterator[None]:
    """Read the certificate again on SIGHUP, within the block; without one SIGHUP means what it did before."""
    if certificate is None:
        yield
        return
    reloaded = certificate

    def reload() -> None:
        try:
            reloaded.reload()
        except (SettingsError, OSError, ssl.SSLError) as fault:
            log.error("certificate not read; the former one stays in use", extra={"why": str(fault)})
        else:
            log.info("certificate read again")

    with call_on_hangup(reload):
        yield


@contextlib.contextmanager
def call_on_hangup(callback: Callable[[], None]) -> Iterator[None]:
    """Call a function on SIGHUP, within the block. Only in the main thread, inside a running event loop."""
    loop, previous = asyncio.get_running_loop(), signal.getsignal(signal.SIGHUP)
    loop.add_signal_handler(signal.SIGHUP, callback)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGHUP)  # which leaves the default of the system: the process would die
        signal.signal(signal.SIGHUP, previous)


def _load(certificate: Path, key: Path) -> ssl.SSLContext:
    certificate_text, key_text = _read("tls_cert", certificate), _read("tls_key", key)
    if CERTIFICATE_MARK not in certificate_text:
        raise SettingsError(f"tls_cert: {certificate} holds no certificate in PEM form")
    if any(mark in key_text for mark in LOCKED_KEY_MARKS):
        raise SettingsError(f"tls_key: {key} is locked with a password; the server needs a key without one")
    if not KEY_MARK.search(key_text):
        raise SettingsError(f"tls_key: {key} holds no private key in PEM form")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    try:
        context.load_cert_chain(certificate, key)
    except ssl.SSLError as fault:
        if fault.reason == "KEY_VALUES_MISMATCH":
            raise SettingsError(f"tls_key: {key} is not the key of the certificate in {certificate}") from None
        raise SettingsError(f"tls_cert: {certificate} and {key} cannot be used: {fault.reason or fault}") from None
    return context


def _read(name: str, file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as fault:
        raise SettingsError(f"{name}: {file} cannot be read: {fault.strerror}") from None
