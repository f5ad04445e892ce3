// The messages on the page. The server renders every finished turn; this fills in the one that is under way.

const NEAR = 96; // px from the end of the page that still count as being there

export function createTranscript(root) {
  const blank = document.querySelector("#blank-turn").content;
  const blankDay = document.querySelector("#blank-day").content;
  const jump = document.querySelector("[data-jump]");
  const end = document.querySelector("[data-end]");
  const words = root.dataset;

  const atEnd = () => innerHeight + scrollY >= document.documentElement.scrollHeight - NEAR;
  const toEnd = () => scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });

  // Follows the text only for somebody who is reading its end; others get a button.
  function keepingPlace(change) {
    const follow = atEnd();
    change();
    if (follow) toEnd();
    else jump.hidden = false;
  }

  function fresh(question) {
    const turn = blank.cloneNode(true).firstElementChild;
    turn.querySelector("[data-question]").textContent = question;
    for (const time of turn.querySelectorAll("time")) time.textContent = clock(words.zone);
    return turn;
  }

  // The turn again from its question, to be answered anew.
  function renew(element) {
    const turn = fresh(element.querySelector("[data-question]").textContent);
    turn.dataset.turn = element.dataset.turn;
    element.replaceWith(turn);
    return turn;
  }

  function add(text) {
    const turn = fresh(text);
    document.querySelector("[data-welcome]")?.remove();
    openDay();
    root.append(turn);
    toEnd();
    return turn;
  }

  function openDay() {
    const today = new Date().toLocaleDateString("en-CA", { timeZone: words.zone }); // year-month-day
    const days = root.querySelectorAll("[data-day]");
    if (days[days.length - 1]?.dataset.day === today) return;
    const heading = blankDay.cloneNode(true).firstElementChild;
    heading.dataset.day = today;
    root.append(heading);
  }

  function show(element, turn) {
    keepingPlace(() => {
      element.querySelector("[data-status]").textContent = turn.text ? "" : turn.progress || words.waiting;
      element.querySelector("[data-stream]").textContent = turn.text;
      root.setAttribute("aria-busy", "true");
    });
  }

  function fail(element, message) {
    element.dataset.state = "failed";
    const status = element.querySelector("[data-status]") ?? element.appendChild(blankStatus());
    status.textContent = message;
    root.removeAttribute("aria-busy");
  }

  function replace(element, html) {
    const turn = parse(html);
    keepingPlace(() => element.replaceWith(turn));
    root.removeAttribute("aria-busy");
    return turn;
  }

  function append(html) {
    const turn = parse(html);
    keepingPlace(() => {
      openDay();
      root.append(turn);
    });
    return turn;
  }

  function replaceAll(html) {
    const template = document.createElement("template");
    template.innerHTML = html;
    keepingPlace(() => root.replaceChildren(template.content));
  }

  jump.addEventListener("click", toEnd);
  new IntersectionObserver(([entry]) => {
    if (entry.isIntersecting) jump.hidden = true;
  }).observe(end);
  root.addEventListener("click", openSource);

  const find = (id) => root.querySelector(`[data-turn="${CSS.escape(id)}"]`);
  const running = () => root.querySelector("[data-running]");
  return { add, append, renew, show, fail, replace, replaceAll, find, running, toEnd };
}

// A marker opens its source where it stands, without leaving an entry in the browser's history.
function openSource(event) {
  const marker = event.target.closest("a.cite");
  if (!marker) return;
  const source = document.getElementById(marker.hash.slice(1))?.closest("details");
  if (!source) return;
  event.preventDefault();
  source.open = true;
  source.querySelector("summary").focus();
  source.scrollIntoView({ block: "nearest" });
}

function blankStatus() {
  const status = document.createElement("p");
  status.className = "status";
  status.dataset.status = "";
  return status;
}

function parse(html) {
  const template = document.createElement("template");
  template.innerHTML = html.trim();
  return template.content.firstElementChild;
}

// The same clock as the server's, wherever the browser is.
const clock = (timeZone) =>
  new Date().toLocaleTimeString("en-IN", { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone });
