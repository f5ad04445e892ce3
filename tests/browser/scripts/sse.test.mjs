import assert from "node:assert/strict";
import { test } from "node:test";
import { createParser, readEvents } from "../../../static/chat/sse.js";

const encode = (text) => new TextEncoder().encode(text);
const record = (event) => `id: 1\nevent: delta\ndata: ${JSON.stringify(event)}\n\n`;
const events = [{ text: "₹40,000 प्रति आँख" }, { text: "a\nb" }, { text: "👁️" }];

function parse(chunks) {
  const seen = [];
  const parser = createParser((event) => seen.push(event));
  chunks.forEach((chunk) => parser.feed(chunk));
  return seen;
}

test("reads records whole", () => {
  assert.deepEqual(parse([encode(events.map(record).join(""))]), events);
});

test("reads records cut at every byte, inside characters too", () => {
  const bytes = encode(events.map(record).join(""));
  for (let cut = 0; cut <= bytes.length; cut += 1)
    assert.deepEqual(parse([bytes.slice(0, cut), bytes.slice(cut)]), events, `cut at ${cut}`);
});

test("reads records that arrive byte by byte with any line end", () => {
  for (const end of ["\n", "\r\n", "\r"]) {
    const text = events.map(record).join("").replaceAll("\n", end) + `:${end}`;
    const bytes = encode(text);
    assert.deepEqual(parse(Array.from(bytes, (_, i) => bytes.slice(i, i + 1))), events);
  }
});

test("joins the lines of one record", () => {
  assert.deepEqual(parse([encode('data: {"a":\ndata: 1}\n\n')]), [{ a: 1 }]);
});

test("ignores comments and a record that never ended", () => {
  assert.deepEqual(parse([encode(': hello\n\ndata: {"a":1}\n\ndata: {"a":2}\n')]), [{ a: 1 }]);
});

test("reads a response to its end", async () => {
  const seen = [];
  await readEvents(new Response(record(events[0]) + record(events[1])), (event) => seen.push(event));
  assert.deepEqual(seen, events.slice(0, 2));
});
