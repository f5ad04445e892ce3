"""answer: the only node that speaks. Streams the model's words, or takes the exit decided before it."""

from contextlib import aclosing

from chat.turn import exits, limits
from chat.turn.abstention import Opening
from chat.turn.runtime import TurnRuntime, Voice
from chat.turn.sentences import sentence
from chat.turn.state import Exit, Kind, TurnState
from plancover_assist.errors import ModelInterrupted, ModelUnavailable
from plancover_assist.llm.types import Completed, Message, ModelRequest, Usage

TEMPERATURE = 0.1  # not 0: open models repeat themselves there


async def answer(state: TurnState, runtime: TurnRuntime, voice: Voice) -> TurnState:
    """Answer once. Raises `ModelInterrupted` when the model failed after visible text."""
    if state.exit is not None:
        return await exits.leave(state, runtime)
    if state.plan is not None and state.plan.kind is Kind.SMALL_TALK:
        return state.model_copy(update={"answer": sentence(f"small_talk.{state.plan.subject}", state.lang)})
    limits.check_model_calls(state.spent.model_calls, runtime.bounds)
    spent = state.spent.model_copy(update={"model_calls": state.spent.model_calls + 1})
    return await _generate(state.model_copy(update={"spent": spent}), runtime, voice)


async def _generate(state: TurnState, runtime: TurnRuntime, voice: Voice) -> TurnState:
    opening = Opening()
    completed = Completed("", Usage())
    try:
        async with aclosing(runtime.models.answer.stream(_request(state, runtime))) as parts:
            async for part in parts:
                if isinstance(part, Completed):
                    completed = part
                else:
                    await _say(voice, opening.feed(part.text))
    except (ModelUnavailable, ModelInterrupted):
        if opening.said:
            raise
        return await _leave(state, runtime, exits.escalated("generation_failed"))
    used = _with_usage(state, completed)
    if opening.abstained or opening.blank:
        reason = "model_abstained" if opening.abstained else "generation_failed"
        return await _leave(used, runtime, exits.escalated(reason))
    await _say(voice, opening.release())
    return used.model_copy(update={"answer": opening.said, "incomplete": completed.truncated})


async def _say(voice: Voice, text: str) -> None:
    if text:
        await voice.say(text)


async def _leave(state: TurnState, runtime: TurnRuntime, way_out: Exit) -> TurnState:
    return await exits.leave(state.model_copy(update={"exit": way_out}), runtime)


def _request(state: TurnState, runtime: TurnRuntime) -> ModelRequest:
    return ModelRequest(
        messages=tuple(Message(role=one.role, content=one.content) for one in state.prompt),
        max_tokens=runtime.bounds.MAX_RESPONSE_TOKENS,
        temperature=TEMPERATURE,
    )


def _with_usage(state: TurnState, completed: Completed) -> TurnState:
    usage = completed.usage
    return state.model_copy(
        update={
            "provider": completed.provider,
            "tokens_in": state.tokens_in + usage.tokens_in,
            "tokens_out": state.tokens_out + usage.tokens_out,
            "cost": state.cost + usage.cost,
        }
    )
