"""What the measurements compare was run under the same conditions."""

import asyncio

from tests.bench.measuring import interleave, peak_megabytes


class Workers:
    """Three kinds of work that note when their turn came."""

    def __init__(self) -> None:
        self.order: list[tuple[str, int]] = []

    async def run(self, name: str, case: int) -> None:
        self.order.append((name, case))
        await asyncio.sleep(0.005 if name == "a" else 0)
        sum(range(200_000 if name == "b" else 0))


class TestInterleave:
    async def test_gives_each_case_to_all_before_the_next_and_changes_who_begins(self) -> None:
        workers = Workers()
        works = {name: lambda case, name=name: workers.run(name, case) for name in "abc"}
        measured = await interleave([0, 1, 2], works, rounds=1)
        one_round = workers.order[9:]
        assert [case for _, case in one_round] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
        assert [name for name, _ in one_round] == list("abcbcacab")
        assert set(measured) == set("abc")

    async def test_tells_waiting_from_working(self) -> None:
        workers = Workers()
        works = {name: lambda case, name=name: workers.run(name, case) for name in "ab"}
        measured = await interleave([0], works, rounds=3)
        assert measured["a"].cpu.p50 < measured["a"].wall.p50
        assert measured["b"].cpu.p50 > 0


class TestPeakMemory:
    def test_is_that_of_a_python_process_in_megabytes(self) -> None:
        assert 10 < peak_megabytes() < 100_000
