// Reads server-sent events from the bytes of a fetch. A network chunk is not an event: it may hold half of one, or
// three, or end inside a character, so bytes are decoded as a stream and text is cut only at line ends.

export function createParser(onEvent) {
  const decoder = new TextDecoder();
  let rest = "";
  let data = [];

  function line(text) {
    if (text === "") {
      if (data.length) onEvent(JSON.parse(data.join("\n")));
      data = [];
    } else if (text.startsWith("data:")) {
      data.push(text.slice(text[5] === " " ? 6 : 5));
    }
  }

  return {
    feed(bytes) {
      const text = rest + decoder.decode(bytes, { stream: true });
      // A carriage return at the very end may be half of a line end.
      const cut = text.endsWith("\r") ? text.length - 1 : text.length;
      const lines = text.slice(0, cut).split(/\r\n|\n|\r/);
      rest = lines.pop() + text.slice(cut);
      lines.forEach(line);
    },
  };
}

export async function readEvents(response, onEvent) {
  const parser = createParser(onEvent);
  const reader = response.body.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    parser.feed(value);
  }
}
