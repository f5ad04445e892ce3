"""What stands around a sign of an emergency: who, when, and whether it is about papers or imagined.

Each property answers one question about one place in the message; the weighing is the caller's.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from chat.turn.lexicon import Heard, Word

_NEAR_PERSON = 7  # words between somebody and what happens to them
_BESIDE = 3  # words between a verb and the sign it belongs to
_LEAD = 5  # words between "for", "after" and the illness they introduce
_ILLNESSES = ("illness", "stroke", "heart_attack", "attack_word", "fit")
_OTHER_SUBJECTS = ("asking", "inquiry", "past", "idiom", "metaphor")
_STATES = ("critical", "grave_state", "in_peril")


@dataclass(frozen=True)
class Scene:
    """A message and the concepts heard in it, in order."""

    words: Sequence[Word]
    heard: Sequence[Heard]

    @cached_property
    def by_concept(self) -> Mapping[str, Sequence[Heard]]:
        places: dict[str, list[Heard]] = defaultdict(list)
        for one in self.heard:
            places[one.concept].append(one)
        return dict(places)

    def sentences(self) -> Iterator[list[Heard]]:
        """Yield the concepts of one sentence at a time."""
        for _, group in groupby(self.heard, key=lambda one: self.words[one.start].sentence):
            yield list(group)

    def phrase(self, start: int, end: int) -> str:
        return " ".join(word.text for word in self.words[start:end])

    def around(self, start: int, end: int) -> "View":
        return View(self, start, end)


@dataclass(frozen=True, slots=True)
class View:
    """A scene as seen from the sign at words `start` to `end`."""

    scene: Scene
    start: int
    end: int

    @property
    def is_figure(self) -> bool:
        """A figure of speech: a thing that acts (this *wait* kills me), or papers inside the sign itself."""
        if self._leads("metaphor", 0):
            return True
        inside = self._all("idiom", "paperwork", "coverage", "metaphor", "office")
        return any(one.start < self.end and one.end > self.start for one in inside)

    @property
    def is_imagined(self) -> bool:
        before = any(one.end <= self.start for one in self._in_clause("hypothetical"))
        return before or self._follows("oblique", 1)

    @property
    def is_denied(self) -> bool:
        return self._leads("denied", 0) or self._follows("denied_after", 0)

    @property
    def is_illness_striking(self) -> bool:
        """Each blow inside the sign is struck by an illness (lakwa maar gaya), so nobody is being beaten."""
        ends = {one.end + gap for one in self._all(*_ILLNESSES) for gap in (0, 1)}
        blows = self._inside("maar")
        return bool(blows) and all(blow.start in ends for blow in blows)

    @property
    def is_state_untrue(self) -> bool:
        """The state the sign tells of is denied or past: not critical, was critical."""
        starts = {one.start for one in self._inside(*_STATES)}
        told = () if self._is_pressing else self._inside("past_weak")
        return any(one.end in starts for one in (*self._inside("denied"), *told))

    @property
    def is_over(self) -> bool:
        """Told as past, with nothing in the same clause that brings it to now."""
        if self.is_going_on:
            return False
        if self._in_clause("past"):
            return not self._is_pressing or self._is_about_papers
        if self._is_pressing:
            return False
        told = self._all("past") or self._leads("past_weak", _BESIDE)
        return bool(told) and self._is_about_papers

    @property
    def is_somebody(self) -> bool:
        return any(self._gap(one) < _NEAR_PERSON for one in self._in_sentence("person"))

    @property
    def is_going_on(self) -> bool:
        return self._leads("ongoing_before", 1) or self._follows("ongoing_after", _BESIDE)

    @property
    def is_live(self) -> bool:
        """Going on, just happened, or help is asked for; papers speak for something already dealt with."""
        if self.is_going_on:
            return True
        if self._has("paperwork") or self._has("deceased"):
            return False
        perfect = self._follows("perfect_after", 1) or self._leads("perfect_before", 1)
        return self._is_pressing or (perfect and self.is_somebody)

    @property
    def is_alone(self) -> bool:
        """The message is nothing but the sign, and words that say nothing of their own."""
        said = set(range(self.start, self.end))
        for one in self._all("filler", "happened", "now", "help"):
            said.update(range(one.start, one.end))
        return len(said) == len(self.scene.words) and not self.is_question_of_cover

    @property
    def is_news(self) -> bool:
        """Just happened by its verb, to nobody in particular, in a message without another subject."""
        if self.is_question_of_cover or any(map(self._has, _OTHER_SUBJECTS)):
            return False
        return self._leads("perfect_before", 1) or any(map(self._is_told, self._in_clause("happened")))

    @property
    def is_turned_away(self) -> bool:
        return self._has("turned_away")

    @property
    def is_question_of_cover(self) -> bool:
        return any(map(self._has, ("coverage", "paperwork", "deceased", "hypothetical")))

    @property
    def is_cry_for_help(self) -> bool:
        """Help is called for, for somebody, in a message that asks nothing else."""
        asks_else = self.is_question_of_cover or self._has("treatment")
        return self._has("help") and self.is_somebody and not asks_else

    @property
    def is_named_only(self) -> bool:
        """The illness only names a treatment, a claim or a cover: chest pain *tests*, *for* a stroke."""
        if self._is_before_noun:
            return True
        return self._leads("about", _LEAD) and not self.is_going_on and self.is_question_of_cover

    @property
    def is_asking(self) -> bool:
        return self._has("asking")

    @property
    def _is_before_noun(self) -> bool:
        """A noun of treatment, cover or papers follows, with at most a particle between."""
        particles = [one.end for one in self._in_clause("particle") if one.start == self.end]
        starts = {self.end, *particles}
        nouns = ("treatment", "coverage", "paperwork")
        return any(one.start in starts for noun in nouns for one in self._in_clause(noun))

    @property
    def _is_pressing(self) -> bool:
        return bool(self._in_sentence("now")) or self._has("help")

    @property
    def _is_about_papers(self) -> bool:
        return any(map(self._has, ("coverage", "paperwork", "deceased", "treatment")))

    def _is_told(self, verb: Heard) -> bool:
        """Tell whether the verb belongs to the sign and is no condition (accident ho gaya *to* …)."""
        conditions = {one.start for one in self._all("then")}
        return 0 <= verb.start - self.end <= 1 and conditions.isdisjoint({verb.end, verb.end + 1})

    def _all(self, *concepts: str) -> list[Heard]:
        return [one for concept in concepts for one in self.scene.by_concept.get(concept, ())]

    def _inside(self, *concepts: str) -> list[Heard]:
        return [one for one in self._all(*concepts) if self.start <= one.start and one.end <= self.end]

    def _has(self, concept: str) -> bool:
        return concept in self.scene.by_concept

    def _in_clause(self, concept: str) -> list[Heard]:
        clauses = {word.clause for word in self.scene.words[self.start : self.end]}
        return [one for one in self._all(concept) if self.scene.words[one.start].clause in clauses]

    def _in_sentence(self, concept: str) -> list[Heard]:
        sentence = self.scene.words[self.start].sentence
        return [one for one in self._all(concept) if self.scene.words[one.start].sentence == sentence]

    def _gap(self, one: Heard) -> int:
        return max(one.start - self.end, self.start - one.end, 0)

    def _leads(self, concept: str, gap: int) -> bool:
        return any(0 <= self.start - one.end <= gap for one in self._in_clause(concept))

    def _follows(self, concept: str, gap: int) -> bool:
        return any(0 <= one.start - self.end <= gap for one in self._in_clause(concept))
