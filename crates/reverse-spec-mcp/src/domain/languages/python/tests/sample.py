"""A module that shows every kind of declaration."""
from __future__ import annotations

import os
import numpy as np
from typing import TYPE_CHECKING, Optional
from . import sibling
from .store import Store as Store, load

__all__ = ["LIMIT", "run", "Thing", "Color", "load", "Alias", "fallback"]

LIMIT: int = 10
_hidden = 1
a, b = 1, 2

if TYPE_CHECKING:
    from .later import Later


def run(
    first: int,
    second: Optional[str] = None,  # a remark
    *args: int,
    key: bool = False,
    **kwargs,
) -> Later:
    """Runs."""
    # FIXME: slow
    if first < 0:
        raise ValueError("negative")
    return os.path.join(str(first))


@dataclass(frozen=True)
class Thing(Base, metaclass=Meta):
    """A thing."""

    name: str
    size: int = 0
    _secret = None

    def __init__(self, name: str, *, size: int = 0):
        self.name = name
        self.items: list[int] = []
        self._cache = {}

    @property
    def full(self) -> str:
        return self.name

    @full.setter
    def full(self, value):
        self.name = value

    @classmethod
    def make(cls, text): return cls(text)

    @staticmethod
    def helper(x, /, y): return x

    @abstractmethod
    async def go(self) -> None: ...

    def __eq__(self, other): return True

    class Inner:
        pass


class Color(enum.Enum):
    RED = 1
    BLUE = "b"


type Alias = dict[str, int]

try:
    import fast
except ImportError:
    def fallback(): return 1


if __name__ == "__main__":
    run(1)
