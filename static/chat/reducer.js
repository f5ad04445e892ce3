// From a turn's numbered events to what the page shows. Pure: no DOM, no network, no clock.

const TERMINAL = new Set(["final", "auth_required", "action.confirmation_required", "paused", "error"]);

export const isTerminal = (event) => TERMINAL.has(event.type);

export function newTurn({ id = "", clientId = "", seq = 0, attempt = 1, text = "" } = {}) {
  return { id, clientId, seq, attempt, text, progress: "", phase: "waiting", ending: null };
}

// Returns the same object when the event is one already seen, so that a replay changes nothing. Of an earlier attempt,
// with its own ending, only the numbers count.
export function reduce(turn, event) {
  if (event.seq <= turn.seq) return turn;
  if (event.attempt < turn.attempt) return { ...turn, seq: event.seq };
  const next = event.attempt > turn.attempt ? restarted(turn, event) : { ...turn };
  next.seq = event.seq;
  if (isTerminal(event)) return ended(next, event);
  if (event.type === "turn_started") return { ...next, id: event.turn_id, clientId: event.client_id };
  if (event.type === "progress") return { ...next, progress: event.text };
  if (event.type === "delta") return { ...next, text: next.text + event.text, phase: "streaming" };
  return next;
}

// A turn that is continued says its answer again from the start.
function restarted(turn, event) {
  return { ...turn, attempt: event.attempt, text: "", progress: "", phase: "waiting", ending: null };
}

// `final.answer` is the whole text, so a page that joined late, or lost the log, still ends up with all of it.
function ended(turn, event) {
  const text = event.type === "final" ? event.answer : turn.text;
  return { ...turn, text, progress: "", phase: event.type === "error" ? "failed" : "ended", ending: event };
}
