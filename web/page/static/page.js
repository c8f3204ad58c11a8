// What every page has: the keys, earlier questions, and errors of parts that are loaded.
const TYPING = "input, textarea, select, [contenteditable=true], .cm-content";
const EARLIER = "reqap-kg earlier questions";
const MOST_EARLIER = 50;

const isTyping = (target) => target instanceof Element && target.closest(TYPING) !== null;

// Keys that pages add: `onKey("j", (event) => …)`; they do nothing while somebody types.
const keys = new Map();
export const onKey = (key, does) => keys.set(key, does);

onKey("/", () => document.querySelector("[data-ask] input")?.focus());
onKey("?", () => document.getElementById("keys")?.showModal());

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (isTyping(event.target)) {
    // The focus goes where keys of the page are of use, not nowhere; an editor keeps it, and Tab leaves it.
    if (event.key === "Escape" && !event.target.closest(".cm-content")) {
      (document.getElementById("answer") ?? document.getElementById("main")).focus({ preventScroll: true });
    }
    return;
  }
  const does = document.querySelector("dialog[open]") ? null : keys.get(event.key);
  if (!does) return;
  event.preventDefault();
  does(event);
});

// Questions that were asked in this browser session, the latest first; nothing of them outlives it.
export const earlier = () => JSON.parse(sessionStorage.getItem(EARLIER) ?? "[]");
export const remember = (question) => {
  const kept = [question, ...earlier().filter((one) => one !== question)].slice(0, MOST_EARLIER);
  sessionStorage.setItem(EARLIER, JSON.stringify(kept));
};

let place = -1;
document.addEventListener("keydown", (event) => {
  if (!(event.target instanceof HTMLInputElement) || !event.target.closest("[data-ask]")) return;
  const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  if (!step) {
    place = -1;
    return;
  }
  const said = earlier();
  place = Math.min(Math.max(place + step, -1), said.length - 1);
  event.target.value = place < 0 ? "" : said[place];
  event.preventDefault();
});

// Where the service is not reached, that is said where the part would stand.
document.addEventListener("htmx:sendError", (event) => {
  const note = Object.assign(document.createElement("div"), { className: "note error", role: "alert" });
  note.textContent = "The service does not answer. Does reqap-kg serve still run? Nothing is lost; try again.";
  event.detail.target?.replaceChildren(note);
});

// Menus close as menus do: by Escape, and by a click beside them.
const closeMenus = (but) => {
  for (const menu of document.querySelectorAll("details.chip-menu[open]")) if (!menu.contains(but)) menu.open = false;
};
document.addEventListener("click", (event) => closeMenus(event.target));
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && event.target instanceof Element && event.target.closest("details.chip-menu[open]");
  if (menu) menu.querySelector("summary").focus();
  if (event.key === "Escape") closeMenus(null);
});

// Where something is waited for longer than a moment, it is said if the data are being changed meanwhile. `patience()` gives
// what ends the waiting. Pages that are left for another stay until that one comes.
const MOMENT_MS = 1_000;
const LOOK_MS = 2_000;
let waits = 0;
let looking = 0;
const look = async () => {
  const note = document.getElementById("changing");
  const found = await fetch("/parts/changing", { headers: { "HX-Request": "true", Accept: "text/html" } }).catch(() => null);
  const said = found?.ok ? (await found.text()).trim() : "";
  note.hidden = !said || !waits;
  if (!note.hidden && note.innerHTML !== said) note.innerHTML = said;
  if (waits) looking = setTimeout(look, LOOK_MS);
};
export const patience = () => {
  if (!waits++) looking = setTimeout(look, MOMENT_MS);
  let ended = false;
  return () => {
    if (ended) return;
    ended = true;
    if (--waits) return;
    clearTimeout(looking);
    document.getElementById("changing").hidden = true;
  };
};
const ends = new WeakMap();
document.addEventListener("htmx:beforeSend", (event) => ends.set(event.detail.xhr, patience()));
document.addEventListener("htmx:afterRequest", (event) => ends.get(event.detail.xhr)?.());
addEventListener("beforeunload", () => setTimeout(patience(), 60_000));
