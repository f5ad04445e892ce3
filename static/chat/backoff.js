// How long to wait before the next attempt to connect, in milliseconds. Jitter keeps a crowd that lost the same
// server from coming back in step.

export const FIRST_WAIT = 500;
export const LONGEST_WAIT = 15000;

export function waitBefore(attempt, random = Math.random) {
  const ceiling = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt);
  return Math.round(ceiling / 2 + (random() * ceiling) / 2);
}

// What a closing code asks of the page.
export function afterClose(code) {
  if (code === 4401 || code === 4403) return "signed-out";
  if (code === 4408) return "idle";
  if (code === 4413) return "too-large";
  return "reconnect";
}
