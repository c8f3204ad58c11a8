// The query page: an editor in place of the text area, a query that runs and can be stopped, its address.
import { editor } from "./vendor/editor.js";
import { completes, learn } from "./query-complete.js";
import { savedQueries } from "./query-saved.js";
import "./query-results.js";

const CHECK_AFTER = 600;
const SHOWN_AFTER = 300;
const LONGEST_ADDRESS = 8000;

const form = document.getElementById("write");
const area = document.getElementById("query");
const running = document.getElementById("running");
const elapsed = document.getElementById("elapsed");
const results = document.getElementById("results");
const limit = form.dataset.limit.replace(/\.0$/, "");

const place = document.getElementById("editor");
place.hidden = false;
let checking = 0;
const write = editor({
  parent: place,
  text: area.value,
  language: "sparql",
  nonce: document.querySelector("meta[name=style-nonce]").content,
  label: "Your query",
  complete: completes(() => write.text),
  submit: () => form.requestSubmit(),
  changed: (text) => {
    area.value = text;
    clearTimeout(checking);
    checking = setTimeout(check, CHECK_AFTER);
  },
});
area.hidden = true;
area.removeAttribute("placeholder");
document.querySelector("label[for=query]").hidden = true;

// What is wrong is marked where it stands, while it is written and when it ran.
const mark = (wrong) => {
  const more = [wrong.expected && `expected ${wrong.expected}`, wrong.nearest && `did you mean ${wrong.nearest}?`];
  write.mark(wrong.message ? [{ ...wrong, message: [wrong.message, ...more.filter(Boolean)].join("; ") }] : []);
};
async function check() {
  const text = write.text;
  try {
    const answered = await fetch("/query/check", { method: "POST", body: text });
    if (answered.ok && write.text === text) mark(await answered.json());
  } catch {
    // The service is away; that is said when the query is run.
  }
}

// A query that runs says for how long, and can be stopped.
let asking = null;
let since = 0;
const tick = () => {
  const seconds = Math.floor((performance.now() - since) / 1000);
  running.hidden = performance.now() - since < SHOWN_AFTER;
  elapsed.textContent = seconds < 1 ? "Running" : `${seconds} s of at most ${limit} s`;
};
const addressOf = (text) => {
  const address = text.trim() ? `/query?${new URLSearchParams({ q: text })}` : "/query";
  return address.length <= LONGEST_ADDRESS ? address : "/query";
};
const say = (className, text) => {
  results.replaceChildren(Object.assign(document.createElement("p"), { className, textContent: text }));
};
const show = (html) => {
  results.innerHTML = html;
  window.htmx.process(results);
  const wrong = results.querySelector("[data-wrong]");
  const known = wrong?.dataset.line;
  mark(known ? { line: Number(known), column: Number(wrong.dataset.column), message: wrong.dataset.message } : {});
};
async function run({ isNew = true } = {}) {
  asking?.abort();
  const mine = (asking = new AbortController());
  if (isNew && addressOf(write.text) !== location.pathname + location.search) history.pushState({}, "", addressOf(write.text));
  since = performance.now();
  tick();
  const ticking = setInterval(tick, 100);
  results.classList.add("waits");
  try {
    const body = new URLSearchParams({ q: write.text });
    const answered = await fetch("/query/results", { method: "POST", body, headers: { "HX-Request": "true" }, signal: mine.signal });
    const html = await answered.text();
    if (mine === asking) show(html);
  } catch (bad) {
    if (mine !== asking) return;
    if (bad.name === "AbortError") say("empty", "Stopped. Change the query, or run it again.");
    else say("note error", "The service does not answer. Does reqap-kg serve still run? Nothing is lost; try again.");
  } finally {
    clearInterval(ticking);
    if (mine === asking) {
      running.hidden = true;
      results.classList.remove("waits");
    }
  }
}
form.addEventListener("submit", (event) => {
  event.preventDefault();
  run();
});
document.getElementById("stop").addEventListener("click", () => {
  asking?.abort();
  write.focus();
});

// Queries to begin with are put into the editor and run; their addresses open them anew.
const take = (text) => {
  write.text = text;
  run();
};
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a[href^='/query?']") : null;
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  take(new URL(link.href).searchParams.get("q") ?? "");
  form.scrollIntoView({ block: "nearest" });
});
window.addEventListener("popstate", () => {
  const text = new URLSearchParams(location.search).get("q") ?? "";
  write.text = text;
  if (text.trim()) run({ isNew: false });
  else results.replaceChildren();
});

savedQueries({ text: () => write.text });
learn();
if (area.value.trim() && !results.querySelector(".head, .truth, .note")) run({ isNew: false });
