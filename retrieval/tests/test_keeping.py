"""What is kept is loaded once, and no more is kept than there is room for."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from retrieval.keeping import Keep

TOGETHER = 4


class Loader:
    """Counts what it loads; told to dawdle, it gives a second load of the same time to be seen."""

    def __init__(self, *, dawdle: bool = False) -> None:
        self.loaded: list[str] = []
        self._dawdle = dawdle
        self._second = threading.Event()

    def __call__(self, key: str) -> str:
        self.loaded.append(key)
        if len(self.loaded) > 1:
            self._second.set()
        if self._dawdle:
            self._second.wait(0.2)
        return key.upper()


class TestKeep:
    def test_loads_once_for_all_who_ask_together(self) -> None:
        loader = Loader(dawdle=True)
        keep = Keep(loader, size=lambda: 8)
        begun = threading.Barrier(TOGETHER)

        def ask() -> str:
            begun.wait(10)
            return keep.get("a")

        with ThreadPoolExecutor(TOGETHER) as pool:
            asked = [pool.submit(ask) for _ in range(TOGETHER)]
        assert [one.result() for one in asked] == ["A"] * TOGETHER
        assert loader.loaded == ["a"]

    def test_forgets_what_was_used_longest_ago(self) -> None:
        loader = Loader()
        keep = Keep(loader, size=lambda: 2)
        for key in ("a", "b", "a", "c", "a", "b"):
            keep.get(key)
        assert loader.loaded == ["a", "b", "c", "b"]

    def test_tries_again_after_a_failure(self) -> None:
        answers: dict[str, str] = {}
        keep = Keep(answers.__getitem__, size=lambda: 2)
        with pytest.raises(KeyError):
            keep.get("a")
        answers["a"] = "A"
        assert keep.get("a") == "A"
