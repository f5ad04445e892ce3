"""Log lines name their turn and hold nobody's identifiers."""

import logging

from plancover_assist.telemetry import RedactingFormatter, turn_id_var


def line(message: str, *arguments: object) -> str:
    record = logging.LogRecord("chat", logging.INFO, __file__, 1, message, arguments, None)
    return RedactingFormatter("%(message)s").format(record)


class TestALogLine:
    def test_names_its_turn(self) -> None:
        token = turn_id_var.set("t-1")
        try:
            assert line("a node ended") == "turn=t-1 a node ended"
        finally:
            turn_id_var.reset(token)

    def test_names_no_turn_outside_one(self) -> None:
        assert line("started") == "turn=- started"

    def test_masks_identifiers_that_came_as_arguments(self) -> None:
        written = line("from %s about %s", "asha@example.com", "9876543210")
        assert "asha@example.com" not in written
        assert "9876543210" not in written
