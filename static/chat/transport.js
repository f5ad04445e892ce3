// Carries frames to the server and events back: over the socket, or over HTTP where sockets are blocked.
// It decides how, never what: the page asks it to send, watch and stop, and hears events and the line's state.

import { afterClose, waitBefore } from "./backoff.js";
import { isTerminal } from "./reducer.js";
import { readEvents } from "./sse.js";

const ZOMBIE_AFTER = 5000; // ms without a reply to a ping: phones cut sockets without telling
const BLOCKED_AFTER = 2; // failed attempts before HTTP takes over

export function createTransport({ visitUrl, socketUrl, onEvent, onLine, unfinished }) {
  let socket = null;
  let failures = 0;
  let everOpened = false;
  let timer = 0;
  let pingTimer = 0;
  let fetching = null;
  let opening = false;
  let resting = false; // closed by the server for a reason that reconnecting would not mend

  const isOpen = () => socket?.readyState === WebSocket.OPEN;

  async function connect() {
    clearTimeout(timer);
    if (opening || socket?.readyState <= WebSocket.OPEN) return;
    opening = true;
    await introduce();
    opening = false;
    resting = false;
    socket = new WebSocket(socketUrl);
    socket.onopen = opened;
    socket.onmessage = ({ data }) => hear(JSON.parse(data));
    socket.onclose = closed;
  }

  // A socket needs a session, and a visitor's browser gets one with the first thing it sends.
  async function introduce() {
    if (!visitUrl) return;
    const response = await post(visitUrl, {}).catch(() => null);
    if (response?.ok) visitUrl = "";
  }

  function opened() {
    const again = everOpened;
    failures = 0;
    everOpened = true;
    onLine(again ? "restored" : "open");
    catchUp();
  }

  function closed({ code, target }) {
    if (target !== socket) return;
    clearTimeout(pingTimer);
    const verdict = afterClose(code);
    resting = verdict !== "reconnect";
    onLine(resting ? verdict : "lost");
    if (resting) return;
    timer = setTimeout(connect, waitBefore(failures));
    failures += 1;
    if (failures >= BLOCKED_AFTER) catchUp();
  }

  function hear(event) {
    clearTimeout(pingTimer);
    if (event.type !== "heartbeat") onEvent(event);
  }

  // Ask for everything that is still open; the server and the reducer both ignore repeats.
  function catchUp() {
    const frames = unfinished();
    if (isOpen()) frames.forEach((frame) => socket.send(JSON.stringify(frame)));
    else if (frames.length && failures >= BLOCKED_AFTER) overHttp(frames[0]);
  }

  function send(frame) {
    if (isOpen()) socket.send(JSON.stringify(frame));
    else if (frame.type === "stop") command("/api/chat/stop", frame.turn_id);
    else if (resting || !socket) connect();
    else if (failures >= BLOCKED_AFTER) overHttp(frame);
  }

  async function overHttp(frame) {
    if (fetching) return;
    fetching = frame.type === "send" ? post("/api/chat", asRequest(frame), true) : watch(frame);
    await follow(fetching);
    fetching = null;
  }

  // Asks for something to be done to a turn. Unlike a send or a watch nobody repeats it: the page hears that it failed.
  async function command(url, turnId, streaming = false) {
    const refuse = (error) => onEvent({ ...error, type: "error", turn_id: turnId });
    const response = await post(url, { turn_id: turnId }, streaming).catch(() => null);
    if (!response?.ok) refuse(response ? await refusal(response) : {});
    else if (streaming) await follow(response);
  }

  async function follow(request) {
    let finished = false;
    try {
      const response = await request;
      if (!response.ok) onEvent({ ...(await refusal(response)), type: "error" });
      else
        await readEvents(response, (event) => {
          finished = isTerminal(event);
          hear(event);
        });
    } catch {
      finished = false;
    }
    // Over whichever line there is by then: a stream may break while the socket is open.
    if (!finished && unfinished().length) setTimeout(catchUp, waitBefore(failures));
  }

  const resume = (turnId) => command("/api/chat/resume", turnId, true);

  const watch = ({ turn_id, after }) =>
    fetch(`/api/chat/turns/${turn_id}/events?after=${after}`, { headers: { Accept: "text/event-stream" } });

  // Back from the background, from the cache of pages, or from a tunnel.
  function wake() {
    if (!isOpen()) return connect();
    socket.send('{"type":"ping"}');
    clearTimeout(pingTimer);
    pingTimer = setTimeout(() => {
      const dead = socket;
      socket = null;
      dead.close();
      onLine("lost");
      connect();
    }, ZOMBIE_AFTER);
  }

  return { connect, send, wake, resume };
}

// What a refusal says; nothing where a proxy answered in the product's place, with a page of its own.
async function refusal(response) {
  const { error } = await response.json().catch(() => ({}));
  return error ?? {};
}

function asRequest({ conversation_id, client_id, text, locale }) {
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const message = { role: "user", content: text };
  return { conversation_id, client_id, channel: "web", message, client: { locale, timezone } };
}

function post(url, body, streaming = false) {
  const headers = { "Content-Type": "application/json", "X-CSRFToken": csrfToken() };
  if (streaming) headers.Accept = "text/event-stream";
  return fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
}

const csrfToken = () => document.querySelector("[name=csrfmiddlewaretoken]").value;
