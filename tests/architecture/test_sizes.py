"""Code stays small enough to read: the limits of docs/architecture.md, held by machine."""

from statistics import median

import pytest

from tests.architecture.source import functions, line_count, modules, relative, tree

pytestmark = pytest.mark.docs

MEDIAN = 9
PERCENTILE_95 = 40
LONGEST = 60
MODULE = 320


class TestAFunction:
    def test_is_nine_lines_long_in_the_median_and_forty_at_most_in_the_95th_percentile(self) -> None:
        lengths = sorted(found.lines for path in modules(tests=False) for found in functions(path))
        assert lengths, "no function was found, so nothing was measured"
        assert median(lengths) <= MEDIAN
        assert lengths[int(0.95 * (len(lengths) - 1))] <= PERCENTILE_95

    def test_never_exceeds_sixty_lines(self) -> None:
        python = [path for path in tree() if path.suffix == ".py" and "migrations" not in path.parts]
        long = [str(found) for path in python for found in functions(path) if found.lines > LONGEST]
        assert long == []


class TestAModule:
    def test_never_exceeds_three_hundred_and_twenty_lines(self) -> None:
        code = [path for path in tree() if path.suffix in {".py", ".js"} and "migrations" not in path.parts]
        long = [f"{relative(path)}: {line_count(path)}" for path in code if line_count(path) > MODULE]
        assert long == []

    def test_says_what_it_is_for(self) -> None:
        silent = [
            relative(path)
            for path in modules(tests=False)
            if (text := path.read_text(encoding="utf-8")).strip() and not text.startswith('"""')
        ]
        assert silent == []
