"""A screen reader, for Qt: the accessibility tree is active, announcements are recorded."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QAccessible


@pytest.fixture(autouse=True)
def reader() -> Iterator[None]:
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(False)
