"""Frames are the wire contract's, exactly; anything else is refused by name."""

import pytest

from chat.schemas import PingFrame, SendFrame, parse_frame
from plancover_assist.errors import MalformedFrame

SEND = '{"type": "send", "client_id": "c-1", "conversation_id": "web-1", "text": "hi"}'


class TestFrames:
    def test_of_a_send_need_no_locale(self) -> None:
        frame = parse_frame(SEND)
        assert isinstance(frame, SendFrame)
        assert frame.locale == ""

    def test_of_a_ping_are_read(self) -> None:
        assert isinstance(parse_frame('{"type": "ping"}'), PingFrame)

    @pytest.mark.parametrize(
        ("text", "field"),
        [
            ("", None),
            ("nonsense", None),
            ("[]", None),
            ('{"type": "dance"}', None),
            ('{"type": "send"}', "client_id"),
            (SEND.replace("web-1", "no spaces"), "conversation_id"),
            (SEND.replace("web-1", "x" * 65), "conversation_id"),
            (SEND.replace("c-1", "c-1\\n"), "client_id"),
            (SEND.replace('"hi"', '"hi", "as": "staff"'), "as"),
            ('{"type": "watch", "turn_id": "1", "after": 0}', "turn_id"),
            ('{"type": "watch", "turn_id": "6f6b1d1e-2f0e-4a4d-9a51-1f0a5f1c7d11", "after": -1}', "after"),
        ],
    )
    def test_that_are_malformed_are_refused_naming_the_field(self, text: str, field: str | None) -> None:
        with pytest.raises(MalformedFrame) as refused:
            parse_frame(text)
        assert refused.value.field == field
