"""Connections as the ports on PostgreSQL take them."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TypeAlias

from sqlalchemy.ext.asyncio import AsyncConnection

Connect: TypeAlias = Callable[[], AbstractAsyncContextManager[AsyncConnection]]
"""Provides a connection on which each statement is a transaction; its errors are `StoreUnavailable`."""
