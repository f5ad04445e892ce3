"""README's table of bounds says what the code enforces."""

from dataclasses import fields

import pytest

from plancover_assist.settings import bounds
from tests.docs.documents import README, read, rows, section

pytestmark = pytest.mark.docs


def _documented() -> dict[str, str]:
    table = rows(section(read(README), "## Bounds"))
    return {row[1].strip("`"): row[2] for row in table if row[1].startswith("`")}


class TestTheTableOfBounds:
    def test_names_every_bound_with_its_default(self) -> None:
        assert _documented() == {field.name: str(field.default) for field in fields(bounds.Bounds)}

    def test_states_the_fixed_size_of_a_request(self) -> None:
        request = next(row for row in rows(section(read(README), "## Bounds")) if row[0] == "Request size")
        assert f"{bounds.REQUEST_MAX_CHARS} characters" in request[2]
        assert f"{bounds.REQUEST_MAX_TURNS} turns" in request[2]
        assert f"{bounds.SOCKET_MAX_FRAME_BYTES // 1024} KiB" in request[2]
