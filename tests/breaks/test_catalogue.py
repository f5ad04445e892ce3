"""The catalogue of faults fits the code: each can still be planted, and each layer has one."""

import pytest

from tests.architecture.source import ROOT
from tests.breaks.catalogue import BREAKS, Break

pytestmark = pytest.mark.docs


class TestTheCatalogue:
    def test_names_ten_faults_or_more_each_once(self) -> None:
        assert len({broken.name for broken in BREAKS}) == len(BREAKS) >= 10

    def test_reaches_every_layer(self) -> None:
        assert {broken.layer for broken in BREAKS} >= {
            "retrieval",
            "turn",
            "chat",
            "web",
            "text",
            "model",
            "settings",
        }


@pytest.mark.parametrize("broken", BREAKS, ids=lambda broken: broken.name)
class TestAFault:
    def test_changes_one_place(self, broken: Break) -> None:
        whole = (ROOT / broken.path).read_text(encoding="utf-8")
        assert broken.applied_to(whole) != whole

    def test_leaves_code_that_loads(self, broken: Break) -> None:
        whole = (ROOT / broken.path).read_text(encoding="utf-8")
        compile(broken.applied_to(whole), broken.path, "exec")

    def test_is_guarded_by_tests_that_exist(self, broken: Break) -> None:
        assert broken.guards
        assert [
            guard for guard in broken.guards if not (ROOT / guard.split("::", maxsplit=1)[0]).exists()
        ] == []
