"""Addresses of databases, as hosting providers write them: taken, or refused in words before anything is served."""

import re
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy import make_url

from diskwars_server.store.errors import StoreUnavailable, WrongEncoding
from diskwars_server.store.postgres.database import PostgresDatabase
from diskwars_server.store.postgres.database_url import parse_database_url

TAKEN = {
    "postgres://a:b@h/d": "postgresql://a:b@h/d",
    "postgresql+asyncpg://u@/d?host=/run/pg": "postgresql://u@/d?host=%2Frun%2Fpg",
    "postgresql+psycopg://h/d": "postgresql://h/d",
    "postgresql://h:6432/d?sslmode=require": "postgresql://h:6432/d?sslmode=require",
    "postgresql://h/d?ssl=require": "postgresql://h/d?sslmode=require",
    "postgresql://h/d?ssl=true": "postgresql://h/d?sslmode=require",
    "postgresql://h/d?ssl=false": "postgresql://h/d?sslmode=disable",
    "postgresql://u:p@h1:1,h2:2/d?target_session_attrs=any": "postgresql://u:p@h1:1,h2:2/d?target_session_attrs=any",
    "postgresql://u@[::1]:3/d": "postgresql://u@[::1]:3/d",
    "postgresql://h/d?channel_binding=prefer&gssencmode=disable&client_encoding=utf8&sslmode=": "postgresql://h/d",
    "postgresql:///d?host=a,b&port=1,2": "postgresql:///d?host=a%2Cb&port=1%2C2",
}
REFUSED = {
    "": "unreadable",
    "a database": "unreadable",
    "postgresql://me:swordfish@h:port/d": "unreadable",
    "postgresql://me:swordfish@h1:1,h2:70000/d": "unreadable",
    "postgresql://me:swordfish@h/d?sslmode": "unreadable",
    "mysql://me:swordfish@h/d": "not a PostgreSQL database",
    "postgresql://me:swordfish@h/d?channel_binding=require": "channel_binding=require, which the driver cannot do",
    "postgresql://me:swordfish@h/d?client_encoding=latin1": "client_encoding=latin1, which the driver cannot do",
    "postgresql://me:swordfish@h/d?pgbouncer=true": "pgbouncer, which is not taken .* for each session",
    "postgresql://me:swordfish@h/d?keepalives_idle=5": "keepalives_idle, .* its own limits",
    "postgresql://me:swordfish@h/d?search_path=swordfish": "search_path, .* options=-c%20NAME%3DVALUE",
    "postgresql://me:swordfish@h/d?connect_timeout=soon": "connect_timeout that is no number",
    "postgresql://me:swordfish@h/d?sslrootcert=/no/such/root.pem": "sslrootcert=/no/such/root.pem, and there is no",
}


def test_every_usual_spelling_of_an_address_is_taken() -> None:
    for given, used in TAKEN.items():
        assert parse_database_url(given).dsn == used, given


def test_any_other_address_is_refused_without_telling_the_password() -> None:
    for given, why in REFUSED.items():
        with pytest.raises(StoreUnavailable) as refused:
            PostgresDatabase(given)
        assert re.search(why, str(refused.value)), (given, str(refused.value))
        assert "swordfish" not in str(refused.value), given


def test_address_shows_no_password() -> None:
    assert "swordfish" not in repr(parse_database_url("postgresql://me:swordfish@h/d"))


async def test_parameters_of_the_session_reach_the_server(migrated_url: str, tmp_path: Path) -> None:
    parameters = "application_name=club&connect_timeout=7&options=-c%20work_mem%3D5MB"
    joint = "&" if "?" in migrated_url else "?"
    address = parse_database_url(f"{migrated_url}{joint}{parameters}")
    assert address.connect_seconds == 7
    connection = await address.connect(1, None)
    try:
        shown = [await connection.fetchval(f"show {name}") for name in ("application_name", "work_mem")]
    finally:
        await connection.close()
    assert shown == ["club", "5MB"]


async def test_server_sets_its_limits_on_every_connection(migrated_url: str) -> None:
    async with PostgresDatabase(migrated_url) as database:
        connection = await database._connect()
        try:
            names = ("lock_timeout", "statement_timeout", "jit", "plan_cache_mode", "default_transaction_isolation")
            shown = [await connection.fetchval(f"show {name}") for name in names]
        finally:
            await connection.close()
    assert shown == ["2s", "10s", "off", "force_generic_plan", "read committed"]


async def test_database_of_another_encoding_is_refused_when_the_server_starts(postgres_url: str) -> None:
    base = await asyncpg.connect(parse_database_url(postgres_url).dsn)
    try:
        await base.execute("create database latin template template0 encoding 'LATIN1' locale 'C'")
        try:
            latin = make_url(postgres_url).set(database="latin").render_as_string(hide_password=False)
            with pytest.raises(WrongEncoding, match=r"encoding LATIN1: .* ENCODING 'UTF8'"):
                await PostgresDatabase(latin).open()
        finally:
            await base.execute("drop database latin")
    finally:
        await base.close()
