"""How things are timed: in turns on the same cases, so that what disturbs the machine disturbs all alike.

Wall time is what a person waits. CPU time is that of this process with all its threads; Postgres' own work
is not in it. Nothing here knows what is measured.
"""

import resource
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

Case = TypeVar("Case")
Work = Callable[[Case], Awaitable[object]]
_UNITS_A_MEGABYTE = 1024 if sys.platform.startswith("linux") else 1024**2  # getrusage(2): KiB, or bytes


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds, each the median over the rounds."""

    p50: float
    p95: float

    def __str__(self) -> str:
        return f"p50 {self.p50:.2f} ms, p95 {self.p95:.2f} ms"


@dataclass(frozen=True, slots=True)
class Measured:
    """What one kind of work took."""

    wall: Times
    cpu: Times


@dataclass(frozen=True, slots=True)
class _Sample:
    """One run of one work on one case, in milliseconds."""

    wall: float
    cpu: float


async def interleave(
    cases: Sequence[Case], works: Mapping[str, Work[Case]], *, rounds: int
) -> dict[str, Measured]:
    """Run every work on every case, one round to warm up and then the timed ones; return name -> times.

    Within a round each case is given to all works before the next one, and each work is the first equally
    often.
    """
    await _round(cases, works)
    taken = [await _round(cases, works) for _ in range(rounds)]
    return {name: _measured([samples[name] for samples in taken]) for name in works}


async def _round(cases: Sequence[Case], works: Mapping[str, Work[Case]]) -> dict[str, list[_Sample]]:
    samples: defaultdict[str, list[_Sample]] = defaultdict(list)
    names = list(works)
    for turn, case in enumerate(cases):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            samples[name].append(await _sample(works[name], case))
    return dict(samples)


async def _sample(work: Work[Case], case: Case) -> _Sample:
    wall, cpu = time.perf_counter(), time.process_time()
    await work(case)
    return _Sample((time.perf_counter() - wall) * 1000, (time.process_time() - cpu) * 1000)


def _measured(rounds: Sequence[Sequence[_Sample]]) -> Measured:
    return Measured(
        wall=_times([[sample.wall for sample in one] for one in rounds]),
        cpu=_times([[sample.cpu for sample in one] for one in rounds]),
    )


def _times(rounds: Sequence[Sequence[float]]) -> Times:
    return Times(
        statistics.median(float(np.percentile(values, 50)) for values in rounds),
        statistics.median(float(np.percentile(values, 95)) for values in rounds),
    )


def peak_megabytes() -> float:
    """The most memory this process has held at once since it began, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _UNITS_A_MEGABYTE
