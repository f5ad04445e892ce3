"""Log lines name their turn and hold nobody's identifiers."""

import logging
import sys

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


def line_of(error: Exception, cause: Exception | None = None) -> str:
    try:
        raise error from cause
    except Exception:  # noqa: BLE001 - whatever the test gave us
        record = logging.LogRecord("chat", logging.ERROR, __file__, 1, "it failed", (), sys.exc_info())
    return RedactingFormatter("%(message)s").format(record)


class TestALoggedError:
    ROW = "the row is refused\nDETAIL:  Failing row contains (1, my sister's biopsy)."

    def test_is_written_with_its_type_its_path_and_the_first_line_of_its_message(self) -> None:
        written = line_of(ValueError(self.ROW))
        assert "builtins.ValueError: the row is refused" in written
        assert "in line_of" in written
        assert "biopsy" not in written

    def test_names_what_led_to_it_and_quotes_that_no_more(self) -> None:
        written = line_of(RuntimeError("not saved"), cause=ValueError(self.ROW))
        assert written.index("ValueError: the row is refused") < written.index("RuntimeError: not saved")
        assert "biopsy" not in written
