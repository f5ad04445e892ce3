"""The client programs of Postgres, when Postgres does not answer them."""

from pathlib import Path

import pytest

from plancover_assist.embedded import postgres
from plancover_assist.embedded.layout import Layout
from plancover_assist.embedded.postgres import Postgres
from plancover_assist.embedded.programs import Programs


class TestAClient:
    def test_that_gets_no_answer_is_not_waited_for(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(postgres, "CLIENT_SECONDS", 0.2)
        silent = tmp_path / "pg_isready"
        silent.write_text("#!/bin/sh\nexec sleep 60\n")
        silent.chmod(0o755)
        programs = Programs(postgres_bin=tmp_path, valkey_server=tmp_path / "valkey-server")
        server = Postgres(Layout.of(tmp_path / "data"), programs)

        assert not server.answers()
