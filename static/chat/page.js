// The chat page: one place where what the member does and what the server says meet.
// Everything here improves a page that already works as plain forms.

import { createComposer, forgetDrafts } from "./composer.js";
import { newTurn, reduce } from "./reducer.js";
import { createTranscript } from "./transcript.js";
import { createTransport } from "./transport.js";

document.documentElement.classList.add("js");
const page = document.querySelector("#chat");
const words = page.dataset;
const form = document.querySelector("#composer");
const banner = document.querySelector("[data-banner]");
const announcer = document.querySelector("[data-announcer]");
const conversation = words.conversation;
const transcript = createTranscript(document.querySelector("#transcript"));
let current = null; // the turn under way: { turn, element, question, stopping, again }
let bannerTimer = 0;

const composer = createComposer(form, { onSend: ask, onStop: stop });
const transport = createTransport({
  visitUrl: words.visit,
  socketUrl: location.origin.replace(/^http/, "ws") + words.socket,
  onEvent: hear,
  onLine: showLine,
  unfinished,
});

function ask(text) {
  if (current) {
    announce(words.wait);
    return false;
  }
  const turn = newTurn({ clientId: newId() });
  begin(turn, transcript.add(text), text);
  announce(words.answering);
  transport.send(sendFrame());
  return true;
}

function begin(turn, element, question, again = false) {
  current = { turn, element, question, stopping: false, again };
  composer.setBusy(true);
  transcript.show(element, turn);
}

function stop() {
  if (!current || current.stopping) return;
  current.stopping = true;
  current.element.querySelector("[data-status]").textContent = words.stopping;
  if (current.turn.id) transport.send({ type: "stop", turn_id: current.turn.id });
}

function sendFrame() {
  const { turn, question } = current;
  const locale = document.documentElement.lang;
  return { type: "send", client_id: turn.clientId, conversation_id: conversation, text: question, locale };
}

const watchFrame = () => ({ type: "watch", turn_id: current.turn.id, after: current.turn.seq });

function unfinished() {
  if (!current) return [];
  return [current.turn.id ? watchFrame() : sendFrame()];
}

function hear(event) {
  if (event.seq === undefined) refused(event);
  else if (current && isOurs(event)) advance(event);
  else if (event.type === "turn_started" && event.conversation_id === conversation) adopt(event);
}

const isOurs = (event) =>
  current.turn.id ? event.turn_id === current.turn.id : event.client_id === current.turn.clientId;

function advance(event) {
  const before = current.turn;
  const turn = reduce(before, event);
  if (turn === before) return;
  current.turn = turn;
  if (event.type === "turn_started") started(turn);
  if (turn.ending) finish();
  else if (!current.stopping) transcript.show(current.element, turn);
}

function started(turn) {
  current.element.dataset.turn = turn.id;
  current.element.dataset.attempt = turn.attempt;
  if (location.pathname === "/") nameThread();
  if (current.stopping) transport.send({ type: "stop", turn_id: turn.id });
}

function nameThread() {
  history.replaceState(null, "", `/c/${conversation}/`);
  const entry = document.querySelector("#blank-thread").content.cloneNode(true);
  const link = entry.querySelector("a");
  link.href = location.pathname;
  link.textContent = current.question;
  document.querySelector("[data-threads]").prepend(entry);
}

async function finish() {
  const { turn, element } = current;
  current = null;
  composer.setBusy(false);
  announce(`${words.answered} ${turn.text || turn.ending.message || ""}`);
  const html = await fragment(`turns/${turn.id}/`);
  if (html) transcript.replace(element, html);
  else if (turn.phase === "failed") transcript.fail(element, turn.ending.message);
  else transcript.show(element, turn);
}

// What we asked for was refused. Whatever it was, the page must not stay busy with it.
function refused(refusal) {
  if (!current || !isAbout(current.turn, refusal)) return;
  const { turn, element, question, again } = current;
  const message = refusal.message || words.failed;
  const text = refusal.retry_after ? `${message} (${refusal.retry_after} s)` : message;
  current = null;
  composer.setBusy(false);
  announce(text);
  if (turn.id) return reload(turn, element, text, again);
  composer.restore(question); // it never became a turn: nothing is lost
  transcript.fail(element, text);
}

function isAbout(turn, { client_id, turn_id }) {
  if (turn_id) return turn_id === turn.id;
  return !client_id || (!turn.id && client_id === turn.clientId);
}

// A turn that exists: show how it stands now. Another tab may have carried it on, so follow it, but once only.
async function reload(turn, element, text, again) {
  const html = await fragment(`turns/${turn.id}/`);
  const shown = html ? transcript.replace(element, html) : element;
  if (html && !again && !current && shown.hasAttribute("data-running")) follow(shown, true);
  else transcript.fail(shown, text);
}

// Another tab, or another device, asked something here or carried an answer on.
async function adopt(event) {
  if (current || isShown(event)) return;
  const html = await fragment(`turns/${event.turn_id}/`);
  if (!html || current || isShown(event)) return;
  const earlier = transcript.find(event.turn_id);
  const element = earlier ? transcript.replace(earlier, html) : transcript.append(html);
  if (element.hasAttribute("data-running")) follow(element);
}

const isShown = ({ turn_id, attempt }) => Number(transcript.find(turn_id)?.dataset.attempt ?? 0) >= attempt;

function follow(element, again = false) {
  const { turn, attempt } = element.dataset;
  const question = element.querySelector("[data-question]").textContent;
  begin(newTurn({ id: turn, attempt: Number(attempt) }), element, question, again);
  transport.send(watchFrame());
}

async function fragment(path) {
  try {
    const response = await fetch(`/c/${conversation}/${path}`, { headers: { "X-Fragment": "1" } });
    return response.ok && !response.redirected ? await response.text() : "";
  } catch {
    return "";
  }
}

function showLine(state) {
  clearTimeout(bannerTimer);
  if (state === "open" || state === "restored" || state === "idle") showBanner("");
  else if (state === "lost") bannerTimer = setTimeout(() => showBanner(lostWords()), 2000);
  else showBanner(state === "signed-out" ? words.signedOut : words.tooLarge);
  if (state === "restored" && !current) refresh();
}

const lostWords = () => (navigator.onLine ? words.reconnecting : words.offline);

function showBanner(text) {
  banner.textContent = text;
  banner.hidden = !text;
}

// Coming back equals starting up: whatever happened meanwhile is in the database.
async function refresh() {
  if (location.pathname === "/") return;
  const html = await fragment("transcript/");
  if (!html || current) return;
  transcript.replaceAll(html);
  if (transcript.running()) follow(transcript.running());
}

function announce(text) {
  announcer.textContent = text;
}

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Suggestions, "talk to a person" and "try again" are forms of their own: same text, same path as typing it.
document.addEventListener("submit", (event) => {
  const source = event.target;
  if (source.matches("[data-forget]")) forgetDrafts();
  if (source.matches("[data-resume]")) return resume(event);
  if (!source.matches("[data-ask]")) return;
  event.preventDefault();
  ask(event.submitter.value);
});

function resume(event) {
  event.preventDefault();
  if (current) return announce(words.wait);
  const element = event.target.closest("[data-turn]");
  const { turn, attempt, seq } = element.dataset;
  const question = element.querySelector("[data-question]").textContent;
  begin(newTurn({ id: turn, attempt: Number(attempt) + 1, seq: Number(seq) }), transcript.renew(element), question);
  transport.resume(turn);
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(button.dataset.copy);
  button.textContent = words.copied;
  announce(words.copied);
});

addEventListener("online", transport.wake);
addEventListener("offline", () => showLine("lost"));
addEventListener("pageshow", (event) => event.persisted && transport.wake());
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && transport.wake());

transport.connect();
if (transcript.running()) follow(transcript.running());
if (location.pathname !== "/") transcript.toEnd();
