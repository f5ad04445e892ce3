import assert from "node:assert/strict";
import { test } from "node:test";
import { newTurn, reduce } from "../../../static/chat/reducer.js";

const ID = "t1";
const of = (type, seq, fields = {}, attempt = 1) => ({ type, turn_id: ID, seq, attempt, at: "", ...fields });
const run = [
  of("turn_started", 1, { client_id: "c1", conversation_id: "web-1" }),
  of("progress", 2, { step: "prefetch", text: "Looking…" }),
  of("meta", 3, { citations: [] }),
  of("delta", 4, { text: "The limit " }),
  of("delta", 5, { text: "is ₹40,000." }),
  of("final", 6, { answer: "The limit is ₹40,000.", action: "answered" }),
];
const play = (events, turn = newTurn({ clientId: "c1" })) => events.reduce(reduce, turn);

test("assembles the text of a whole run", () => {
  const turn = play(run);
  assert.equal(turn.text, run.at(-1).answer);
  assert.equal(turn.phase, "ended");
  assert.equal(turn.id, ID);
});

test("shows progress until text comes", () => {
  assert.equal(play(run.slice(0, 2)).progress, "Looking…");
  assert.equal(play(run.slice(0, 4)).phase, "streaming");
});

test("ignores what it has seen, so a replay from anywhere changes nothing", () => {
  for (let cut = 1; cut <= run.length; cut += 1)
    for (let from = 0; from <= cut; from += 1) {
      const turn = play([...run.slice(0, cut), ...run.slice(from)]);
      assert.equal(turn.text, run.at(-1).answer, `cut ${cut}, again from ${from}`);
      assert.equal(turn.seq, 6);
    }
});

test("returns the same object for an event it has seen", () => {
  const turn = play(run.slice(0, 4));
  assert.equal(reduce(turn, run[3]), turn);
});

test("takes the whole text from the end where the log had expired", () => {
  assert.equal(play([run.at(-1)]).text, "The limit is ₹40,000.");
});

test("begins the text again with a new attempt", () => {
  const again = [of("turn_started", 7, { client_id: "c1" }, 2), of("delta", 8, { text: "Anew." }, 2)];
  const turn = play([...run.slice(0, 5), of("error", 6, { message: "x" }), ...again]);
  assert.equal(turn.text, "Anew.");
  assert.equal(turn.ending, null);
});

test("reads past earlier attempts, their ending included, when it waits for a later one", () => {
  const turn = play(run, newTurn({ id: ID, attempt: 2 }));
  assert.deepEqual([turn.text, turn.ending, turn.seq], ["", null, 6]);
});

test("keeps the text of a run that failed", () => {
  const turn = play([...run.slice(0, 5), of("error", 6, { message: "Try again.", retryable: true })]);
  assert.equal(turn.phase, "failed");
  assert.equal(turn.text, "The limit is ₹40,000.");
});
