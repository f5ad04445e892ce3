// The question box: grows to six lines, sends on Enter, keeps a draft per conversation.

const DRAFT = "draft:";

export function createComposer(form, { onSend, onStop }) {
  const box = form.elements.text;
  const counter = form.querySelector("[data-counter]");
  const key = DRAFT + (form.dataset.draft || "new");

  function resize() {
    box.style.height = "auto";
    box.style.height = `${box.scrollHeight}px`;
    const left = form.dataset.limit - box.value.length;
    counter.hidden = left > 500;
    counter.textContent = form.dataset.counterText.replace("0", left);
    counter.classList.toggle("over", left < 0);
  }

  function set(text) {
    box.value = text;
    save();
    resize();
  }

  function save() {
    if (box.value) localStorage.setItem(key, box.value);
    else localStorage.removeItem(key);
  }

  function submit() {
    const text = box.value.trim();
    if (text && text.length <= form.dataset.limit && onSend(text)) set("");
    box.focus();
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  box.addEventListener("input", () => {
    save();
    resize();
  });
  box.addEventListener("keydown", (event) => {
    // A script such as Devanagari is often composed: Enter then picks a word and must not send.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    submit();
  });
  form.querySelector("[data-stop]").addEventListener("click", onStop);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && form.dataset.state === "busy") onStop();
  });

  if (!box.value) box.value = localStorage.getItem(key) ?? "";
  resize();
  return {
    setBusy: (busy) => {
      form.dataset.state = busy ? "busy" : "idle";
    },
    restore: (text) => {
      if (!box.value) set(text);
    },
  };
}

// Nothing that somebody typed stays behind on a shared computer.
export function forgetDrafts() {
  for (const key of Object.keys(localStorage)) if (key.startsWith(DRAFT)) localStorage.removeItem(key);
}
