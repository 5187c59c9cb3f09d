"""The folder or bucket of archived matches: what is written is read, and every fault is one error."""

import asyncio
import hashlib
import hmac
import os
import re
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import quote

import pytest
import pytest_asyncio
from aiohttp import web

from diskwars_server.store.archive import objects
from diskwars_server.store.archive.objects import Archive, ArchiveUnavailable, ArchiveUnreachable, BadArchiveUrl

KEY_ID, SECRET, REGION = "test-key", "test-secret", "eu-central-1"


class BucketServer:
    """The part of the interface of S3 that an archive uses, with its signatures checked."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}
        self.is_failing = False

    async def answer(self, request: web.Request) -> web.Response:
        body = await request.read()
        if self.is_failing:
            return web.Response(status=503, text="<Error><Code>SlowDown</Code></Error>")
        if not is_signed(request, body):
            return web.Response(status=403, text="<Error><Code>SignatureDoesNotMatch</Code></Error>")
        bucket, _, key = request.path.removeprefix("/").partition("/")
        if bucket != "matches-bucket":
            return web.Response(status=404, text="<Error><Code>NoSuchBucket</Code></Error>")
        if request.method == "PUT":
            self.objects[key] = body
            return web.Response(headers={"ETag": f'"{hashlib.md5(body, usedforsecurity=False).hexdigest()}"'})
        if request.method == "POST" and "delete" in request.query:
            named = re.findall(r"<Key>(.*?)</Key>", body.decode())
            # Keys that were not there are named as well.
            deleted = "".join(f"<Deleted><Key>{name}</Key></Deleted>" for name in named)
            for name in named:
                self.objects.pop(name, None)
            return web.Response(text=f"<DeleteResult>{deleted}</DeleteResult>", content_type="application/xml")
        if key not in self.objects:
            return web.Response(status=404, text="<Error><Code>NoSuchKey</Code></Error>")
        headers = {"ETag": '"1"', "Last-Modified": "Tue, 01 Dec 2026 08:00:00 GMT"}
        return web.Response(body=self.objects[key], headers=headers)


def is_signed(request: web.Request, body: bytes) -> bool:
    """Return whether the signature (AWS, version 4) is that of our key."""
    pattern = (
        r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d+)/([^/]+)/s3/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(.+)"
    )
    found = re.fullmatch(pattern, request.headers.get("Authorization", ""))
    if found is None or found[1] != KEY_ID:
        return False
    _, day, region, signed, signature = found.groups()
    payload = request.headers["x-amz-content-sha256"]
    if payload not in ("UNSIGNED-PAYLOAD", hashlib.sha256(body).hexdigest()):
        return False
    query = "&".join(sorted(f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in request.query.items()))
    headers = "".join(f"{name}:{request.headers[name].strip()}\n" for name in signed.split(";"))
    canonical = f"{request.method}\n{quote(request.path)}\n{query}\n{headers}\n{signed}\n{payload}"
    scope = f"{day}/{region}/s3/aws4_request"
    digest = hashlib.sha256(canonical.encode()).hexdigest()
    text = f"AWS4-HMAC-SHA256\n{request.headers['x-amz-date']}\n{scope}\n{digest}"
    key = f"AWS4{SECRET}".encode()
    for part in (day, region, "s3", "aws4_request", text):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return hmac.compare_digest(key.hex(), signature)


@pytest_asyncio.fixture
async def bucket(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[BucketServer]:
    """A bucket on loopback, to which the environment leads."""
    server = BucketServer()
    app = web.Application(client_max_size=1 << 26)
    app.router.add_route("*", "/{path:.*}", server.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    assert site._server is not None
    port = site._server.sockets[0].getsockname()[1]  # type: ignore[attr-defined]
    values = {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "AWS_ACCESS_KEY_ID": KEY_ID,
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_REGION": REGION,
    }
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    yield server
    await runner.cleanup()


async def use_archive(archive: Archive) -> None:
    """Write, replace, read and delete."""
    await archive.put("abcdef123456", b"first")
    await archive.put("abcdef123456", b"second")
    await archive.put("qrstuv123456", b"\x00\xff")
    assert await archive.get("abcdef123456") == b"second"
    assert await archive.get("qrstuv123456") == b"\x00\xff"
    await archive.delete(["abcdef123456", "nowhere12345"])
    with pytest.raises(ArchiveUnavailable, match="does not have"):
        await archive.get("abcdef123456")
    assert await archive.get("qrstuv123456") == b"\x00\xff"


async def test_folder_keeps_files_by_match(tmp_path: Path) -> None:
    archive = Archive(f"file://{tmp_path}/archive")
    await use_archive(archive)
    assert [path.name for path in tmp_path.rglob("*.zst")] == ["qrstuv123456.zst"]
    # Another server with the same folder finds them.
    assert await Archive(f"file://{tmp_path}/archive").get("qrstuv123456") == b"\x00\xff"


async def test_file_and_its_names_are_on_the_disk_before_records_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rename that only the cache knows would lose the match when the power does."""
    flushed = []
    fsync = os.fsync

    def note(descriptor: int) -> None:
        flushed.append(os.readlink(f"/proc/self/fd/{descriptor}"))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", note)
    await Archive(f"file://{tmp_path}/archive").put("abcdef123456", b"body")
    folder = tmp_path / "archive"
    names = ("matches/ab/abcdef123456.zst", "matches/ab", "matches", ".")
    assert flushed == [str((folder / name).resolve()) for name in names]


async def test_bucket_keeps_files_by_match_under_its_prefix(bucket: BucketServer) -> None:
    await use_archive(Archive("s3://matches-bucket/club"))
    assert list(bucket.objects) == ["club/matches/qr/qrstuv123456.zst"]


async def test_bucket_with_wrong_credentials_is_unavailable(
    bucket: BucketServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "another")
    archive = Archive("s3://matches-bucket")
    with pytest.raises(ArchiveUnavailable) as refused:
        await archive.put("abcdef123456", b"body")
    assert "another" not in str(refused.value)
    assert bucket.objects == {}


@pytest.mark.usefixtures("bucket")
async def test_bucket_that_does_not_exist_is_named_when_something_is_written() -> None:
    with pytest.raises(ArchiveUnavailable, match="bucket of the archive does not exist"):
        await Archive("s3://another-bucket").put("abcdef123456", b"body")


async def test_bucket_that_fails_is_unavailable_within_its_time(
    bucket: BucketServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(objects, "REQUEST_SECONDS", 1.0)
    bucket.is_failing = True
    archive = Archive("s3://matches-bucket")
    with pytest.raises(ArchiveUnavailable):
        await asyncio.wait_for(archive.get("abcdef123456"), 20)
    with pytest.raises(ArchiveUnreachable):
        await asyncio.wait_for(archive.put("abcdef123456", b"body"), 20)


async def test_folder_that_cannot_be_written_is_unavailable(tmp_path: Path) -> None:
    archive = Archive(f"file://{tmp_path}/archive")
    (tmp_path / "archive" / "matches").write_text("a file where a folder should be")
    with pytest.raises(ArchiveUnavailable):
        await archive.put("abcdef123456", b"body")


@pytest.mark.parametrize(
    "url", ["/srv/archive", "ftp://host/x", "http://host/x", "s3://", "s3://id:word@bucket/x", "file://[x"]
)
def test_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(BadArchiveUrl) as refused:
        Archive(url)
    assert "word" not in str(refused.value)
