"""Hindi and Hinglish questions read in English."""

from plancover_assist.text.hinglish import restore
from plancover_assist.text.reading import read_in_english


class TestReadInEnglish:
    def test_reads_devanagari_words_and_keeps_english_ones(self) -> None:
        reading = read_in_english("मोतियाबिंद की limit कितनी है?", ())

        assert {"cataract", "limit"} <= set(reading.text.split())

    def test_reads_only_the_words_judged_hindi(self) -> None:
        typed = "motiyabind ki limit ek aankh ke liye kitni hai"

        reading = read_in_english(typed, restore(typed, frozenset()).hindi_words)

        assert {"cataract", "eye", "limit"} <= set(reading.text.split())

    def test_knows_a_question_of_the_trade_whole(self) -> None:
        assert read_in_english("एम्बुलेंस का कितना पैसा मिलता है?", ()).known == 1.0

    def test_says_how_little_it_knows_of_anything_else(self) -> None:
        assert read_in_english("चोल वंश के मंदिरों की वास्तुकला पर शिलालेख", ()).known < 0.75
