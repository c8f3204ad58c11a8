// Asks a question by a stream: its steps stand in one line, then the answer. Tabs, and the keys of an answer.
import { onKey, patience, remember } from "./page.js";
import { giveUp, loadAll } from "./ask-loading.js";
import { drawAll } from "./chart.js";

const NARROW = matchMedia("(max-width: 900px)");
const PATIENT_MS = 250;
const ask = document.getElementById("ask");
const answer = document.getElementById("answer");
const margin = document.getElementById("margin");
const form = document.querySelector("[data-ask]");
let running = null;

const made = (tag, values = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), values);
  element.append(...children);
  return element;
};

// ---------------------------------------------------------------- one question
const parameters = (address) => new URL(address, location.href).searchParams;

// What stands there while an answer is on its way; `stop` gives it up.
const waiting = (question, stop) => {
  const step = made("span", { className: "step-text", textContent: "Reading the question …" });
  const button = made("button", { className: "link", type: "button", textContent: "stop" });
  button.addEventListener("click", stop);
  answer.replaceChildren(
    made("p", { className: "asked", textContent: question }),
    made("p", { className: "step soft" }, step, button),
  );
  margin.replaceChildren();
  answer.classList.remove("waiting");
  return step;
};

const note = (strong, text, again) => {
  const told = made("div", { className: "note error", role: "alert" }, made("strong", { textContent: strong }), ` ${text} `);
  if (again) told.append(made("a", { href: again, textContent: "Ask again" }));
  const asked = answer.querySelector(".asked");
  answer.classList.remove("waiting");
  answer.replaceChildren(...(asked ? [asked] : []), told);
};

// Server-Sent Events of a response: (event, data) each.
async function* events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    held += value;
    const parts = held.split("\n\n");
    held = parts.pop();
    for (const part of parts) {
      const fields = Object.fromEntries(part.split("\n").map((line) => line.split(/: (.*)/s).slice(0, 2)));
      if (fields.event) yield [fields.event, JSON.parse(fields.data)];
    }
  }
}

// Steps of the engine in plain words; those that are not here are said as they are called.
const WORDS = { embed: "Comparing texts", "read events": "Looking through records and texts", "read texts": "Reading texts", index: "Looking through what was imported" };
const stepText = ({ step, text, done, total }) => {
  const said = text ?? WORDS[step] ?? `${step[0].toUpperCase()}${step.slice(1)}`;
  return total > 1 && done ? `${said}, ${done.toLocaleString("en")} of ${total.toLocaleString("en")} …` : `${said} …`;
};

async function run(address, { push = true, focus = true } = {}) {
  running?.abort();
  const mine = (running = new AbortController());
  const asked = parameters(address);
  const question = asked.get("q") ?? "";
  giveUp();
  if (push) history.pushState(null, "", address);
  if (question) remember(question);
  document.title = `${question} · reqap-kg`;
  answer.classList.add("waiting");
  let step = null;
  const stop = () => { mine.abort(); note("Stopped.", "Nothing is lost.", address); };
  const waited = patience();
  const patient = setTimeout(() => { step = waiting(question, stop); }, answer.querySelector(".step") ? 0 : PATIENT_MS);
  let told = null;
  try {
    const response = await fetch(`/parts/ask/answer?${asked}`, { headers: { Accept: "text/event-stream" }, signal: mine.signal });
    if (!response.ok) throw new Error((await response.json().catch(() => ({}))).detail ?? response.statusText);
    for await (const [event, data] of events(response)) {
      if (event === "step") { if (step) step.textContent = stepText(data); }
      if (event === "answer") told = data;
      if (event === "error") throw new Error(data.detail);
    }
    if (told === null) throw new Error("the service ended before it answered");
    clearTimeout(patient);
    if (running === mine) show(told, focus);
  } catch (bad) {
    clearTimeout(patient);
    if (bad.name === "AbortError" || running !== mine) return;
    const lost = bad instanceof TypeError;
    note("That did not work.", lost ? "The service does not answer. Does reqap-kg serve still run? Nothing is lost." : `${bad.message}.`, address);
  } finally {
    waited();
  }
}

const show = ({ html, margin: why, title, after, said }, focus) => {
  answer.classList.remove("waiting");
  answer.innerHTML = html;
  margin.innerHTML = why;
  form.querySelector(".after").replaceChildren(...after.map((value) => made("input", { type: "hidden", name: "after", value })));
  const box = form.querySelector("#q");
  box.value = "";
  document.title = `${title} · reqap-kg`;
  document.getElementById("said").textContent = said;
  place(true);
  htmx.process(answer);
  htmx.process(margin);
  drawAll(answer);
  loadAll(answer);
  if (!focus) return;
  const heading = answer.querySelector("h1") ?? answer;
  heading.tabIndex = -1; // who has the page read hears the answer next
  heading.focus({ preventScroll: true });
  scrollTo({ top: 0 });
};

// ---------------------------------------------------------------- where questions come from
form?.addEventListener("submit", (event) => {
  if (!ask) return;
  event.preventDefault();
  const given = new URLSearchParams(new FormData(form));
  if (given.get("q").trim()) run(`/?${given}`);
});

// A question that is a link is asked in place.
ask?.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='/?']");
  if (!link || link.hasAttribute("hx-get") || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  run(link.getAttribute("href"));
});

addEventListener("popstate", () => {
  if (ask && parameters(location.href).has("q")) run(location.pathname + location.search, { push: false, focus: false });
  else location.reload();
});

// ---------------------------------------------------------------- tabs
// On a narrow page the reasons are a tab, and stand where the others are shown.
const place = (fresh = false) => {
  if (!ask) return;
  const slot = document.getElementById("why-slot");
  const wanted = NARROW.matches && slot ? slot : ask;
  if (margin.parentElement !== wanted) wanted.append(margin);
  const why = document.getElementById("tab-why");
  if (fresh) ask.dataset.narrow = why && !parameters(location.href).has("show") ? "why" : "panel";
  if (NARROW.matches && why && ask.dataset.narrow === "why") choose(why);
  else if (document.querySelector("#tab-why[aria-selected=true]")) choose(document.querySelector("[role=tab][data-open]") ?? document.querySelector("[role=tab]:not(.narrow)"));
};

const choose = (tab) => {
  if (!tab) return;
  for (const one of tab.parentElement.querySelectorAll("[role=tab]")) {
    one.setAttribute("aria-selected", String(one === tab));
    one.tabIndex = one === tab ? 0 : -1;
    if (tab.id !== "tab-why") one.toggleAttribute("data-open", one === tab);
  }
  ask.dataset.narrow = tab.id === "tab-why" ? "why" : "panel";
  const panel = document.getElementById("panel");
  if (tab.id !== "tab-why") panel?.setAttribute("aria-labelledby", tab.id);
};

document.addEventListener("click", (event) => {
  const tab = event.target.closest?.("[role=tab]");
  if (!tab || !ask) return;
  event.preventDefault();
  choose(tab);
  if (tab.id !== "tab-why") history.replaceState(null, "", tab.getAttribute("href"));
});

document.addEventListener("keydown", (event) => {
  const tab = event.target.closest?.("[role=tab]");
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!tab || !step) return;
  const all = [...tab.parentElement.querySelectorAll("[role=tab]")].filter((one) => one.offsetParent);
  const next = all[(all.indexOf(tab) + step + all.length) % all.length];
  event.preventDefault();
  next.focus();
  next.click();
});

const open = (name) => document.getElementById(`tab-${name}`)?.click();
ask?.addEventListener("click", (event) => {
  const wanted = event.target.closest("[data-tab]");
  if (wanted) open(wanted.dataset.tab);
  const node = event.target.closest("[data-node]");
  if (node) {
    event.preventDefault();
    for (const one of document.querySelectorAll(".node.chosen")) one.classList.remove("chosen");
    node.classList.add("chosen");
    if (NARROW.matches) choose(document.getElementById("tab-why"));
  }
  const copy = event.target.closest("[data-copy]");
  if (copy) {
    const text = copy.closest(".query").querySelector("pre").textContent;
    navigator.clipboard.writeText(text).then(() => { copy.textContent = "Copied"; }, () => { copy.textContent = "Could not copy"; });
  }
});
NARROW.addEventListener("change", () => place());

// ---------------------------------------------------------------- keys
const reasons = () => [...document.querySelectorAll(".why > li:not(.more)")];
const walk = (step) => {
  const rows = reasons();
  if (!rows.length) return;
  if (NARROW.matches) choose(document.getElementById("tab-why"));
  const at = rows.findIndex((row) => row.hasAttribute("aria-current"));
  const more = at + step >= rows.length ? document.querySelector(".why > li.more button") : null;
  if (more) { // the next ones are loaded first, and gone on to
    if (more.classList.contains("htmx-request")) return;
    margin.addEventListener("htmx:afterSettle", () => goTo(at + step), { once: true });
    more.click();
    return;
  }
  goTo(Math.min(Math.max(at + step, 0), rows.length - 1));
};
const goTo = (place) => {
  const rows = reasons();
  const next = rows[Math.min(place, rows.length - 1)];
  for (const row of rows) row.removeAttribute("aria-current");
  next.setAttribute("aria-current", "true");
  next.querySelector(".what a").focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
};
onKey("j", () => walk(1));
onKey("k", () => walk(-1));
onKey(".", () => open("how"));
onKey("u", () => { const undo = document.querySelector("[data-undo]"); if (undo) undo.click(); else if (ask) location.assign("/"); });

if (ask) {
  const stream = ask.dataset.stream;
  if (stream) run(location.pathname + location.search, { push: false });
  else place(true);
}
