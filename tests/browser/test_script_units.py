"""The pure parts of the page's script, run by the Node that Playwright brings along."""

import subprocess

from playwright._impl._driver import compute_driver_executable

from tests.architecture.source import ROOT

SCRIPT_BYTES = 30_000  # all of the page's script, before compression: members are on phones


class TestScript:
    def test_passes_its_own_unit_tests(self) -> None:
        node, _ = compute_driver_executable()
        tests = sorted((ROOT / "tests" / "browser" / "scripts").glob("*.test.mjs"))
        done = subprocess.run(
            [node, "--no-warnings", "--test", *map(str, tests)], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout
        assert "# pass 0" not in done.stdout

    def test_stays_small(self) -> None:
        size = sum(path.stat().st_size for path in (ROOT / "static" / "chat").glob("*.js"))
        assert size < SCRIPT_BYTES
