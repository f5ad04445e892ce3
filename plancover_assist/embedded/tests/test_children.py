"""Processes that end with the supervisor, and what is said about those that end before it."""

import os
import sys
from pathlib import Path

from plancover_assist.embedded.account import Account
from plancover_assist.embedded.children import Child, start_child

ME = Account(os.geteuid(), os.getegid())


def start(script: str, folder: Path) -> Child:
    command = [sys.executable, "-c", script]
    return start_child("The part", command, folder=folder, log=folder / "part.log", keeper=ME)


class TestAChild:
    def test_that_ends_leaves_its_code_and_last_words(self, tmp_path: Path) -> None:
        child = start("import sys; print('first'); sys.exit('no table')", tmp_path)
        child.process.wait()
        assert child.ended()
        assert child.obituary().startswith("The part ended with code 1.")
        assert child.obituary().endswith("no table")

    def test_is_out_of_reach_of_ctrl_c(self, tmp_path: Path) -> None:
        child = start("import time; time.sleep(60)", tmp_path)
        try:
            assert os.getpgid(child.process.pid) != os.getpgid(0)
        finally:
            child.stop()

    def test_is_stopped_by_asking(self, tmp_path: Path) -> None:
        child = start("import time; time.sleep(60)", tmp_path)
        child.stop()
        assert child.ended()

    def test_that_has_ended_can_be_stopped_again(self, tmp_path: Path) -> None:
        child = start("pass", tmp_path)
        child.process.wait()
        child.stop()
        assert child.process.returncode == 0
