import assert from "node:assert/strict";
import { test } from "node:test";
import { afterClose, FIRST_WAIT, LONGEST_WAIT, waitBefore } from "../../../static/chat/backoff.js";

test("waits longer each time, up to a limit", () => {
  const longest = Array.from({ length: 12 }, (_, attempt) => waitBefore(attempt, () => 1));
  assert.equal(longest[0], FIRST_WAIT);
  assert.ok(longest.every((wait, i) => i === 0 || wait >= longest[i - 1]));
  assert.equal(longest.at(-1), LONGEST_WAIT);
});

test("spreads a crowd over half of the wait", () => {
  assert.equal(waitBefore(3, () => 0), waitBefore(3, () => 1) / 2);
});

test("does not come back where coming back would not help", () => {
  assert.deepEqual([4401, 4403, 4408, 4413].map(afterClose), ["signed-out", "signed-out", "idle", "too-large"]);
  assert.deepEqual([1000, 1006, 1012, 4429].map(afterClose), Array(4).fill("reconnect"));
});
