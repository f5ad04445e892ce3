"""A small memory of values that are dear to load and never change once loaded.

It knows nothing of what it keeps. Nothing here may be used for values that can become untrue.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class _Place(Generic[V]):
    """Where one value stands, or is being loaded to."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.values: list[V] = []  # one, once it is loaded


class Keep(Generic[K, V]):
    """Keeps the values used last. However many threads ask for one at the same time, one of them loads it.

    Args:
        load: gives the value of a key; when it raises, the next caller tries again.
        size: how many values are kept at most, asked anew each time.
    """

    def __init__(self, load: Callable[[K], V], *, size: Callable[[], int]) -> None:
        self._load = load
        self._size = size
        self._lock = threading.Lock()
        self._places: OrderedDict[K, _Place[V]] = OrderedDict()

    def get(self, key: K) -> V:
        """Return the value of a key; raises whatever loading it raises."""
        place = self._place(key)
        with place.lock:
            if not place.values:
                place.values.append(self._load(key))
            return place.values[0]

    def _place(self, key: K) -> _Place[V]:
        with self._lock:
            place = self._places.setdefault(key, _Place())
            self._places.move_to_end(key)
            while len(self._places) > max(1, self._size()):
                self._places.popitem(last=False)
        return place
