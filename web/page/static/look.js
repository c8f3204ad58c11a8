// Looking around: keys through years, days and lists, the square of the day that is shown, boxes that find.
import { onKey } from "./page.js";

const STEPS = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -7, ArrowRight: 7 };

const squares = () => [...document.querySelectorAll("[data-calendar] a")];

// The square of a day has the focus stop of the calendar, and is marked where it is the day that is shown.
const stop = (square) => {
  for (const one of squares()) one.setAttribute("tabindex", one === square ? "0" : "-1");
};
const mark = (day) => {
  for (const one of squares()) {
    if (one.dataset.day === day) {
      one.setAttribute("aria-current", "date");
      stop(one);
    } else one.removeAttribute("aria-current");
  }
};
const ready = () => {
  const all = squares();
  const current = all.find((one) => one.hasAttribute("aria-current")) ?? all.find((one) => !one.querySelector(".l0")) ?? all[0];
  if (current) stop(current);
};

document.addEventListener("keydown", (event) => {
  const square = event.target instanceof Element ? event.target.closest("[data-calendar] a") : null;
  if (!square || event.ctrlKey || event.metaKey || event.altKey) return;
  const all = squares();
  const ends = { Home: 0, End: all.length - 1 };
  const place = event.key in ends ? ends[event.key] : event.key in STEPS ? all.indexOf(square) + STEPS[event.key] : -1;
  if (!all[place]) return;
  event.preventDefault();
  stop(all[place]);
  all[place].focus();
});

// A day is shown below its year without leaving it; a day of another year is another page.
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("[data-calendar] a, #day [data-day-before], #day [data-day-after]") : null;
  const calendar = document.querySelector("[data-calendar]");
  if (!link || !calendar || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const address = link.getAttribute("href");
  if (new URL(address, location.href).pathname !== location.pathname) return;
  event.preventDefault();
  window.htmx.ajax("GET", address, { source: calendar, target: "#day", swap: "outerHTML" });
});
document.addEventListener("htmx:afterSwap", () => {
  const day = document.getElementById("day");
  if (!day || !document.querySelector("[data-calendar]") || day.dataset.date === shown) return;
  shown = day.dataset.date;
  mark(shown);
  document.getElementById("said").textContent = document.getElementById("day-title")?.textContent ?? "";
});
let shown = document.getElementById("day")?.dataset.date;

// A part that is loaded when it unfolds: `toggle` does not bubble, so that it is passed on.
document.addEventListener("toggle", (event) => {
  if (event.target.matches?.("details[data-lazy][open]")) window.htmx.trigger(event.target.querySelector("[hx-get]"), "unfold");
}, true);

onKey("/", () => document.querySelector("[data-find] input")?.focus());
// In the calendar these keys go from square to square; elsewhere to the day before and after.
const inCalendar = (event) => event.target instanceof Element && event.target.closest("[data-calendar]") !== null;
const turn = (link) => (event) => {
  if (!inCalendar(event)) document.querySelector(link)?.click();
};
onKey("ArrowLeft", turn("[data-day-before]"));
onKey("ArrowRight", turn("[data-day-after]"));

// `j` and `k` go through what is listed.
const listed = () => [...document.querySelectorAll(".list .what a, .list summary, .ranked a")].filter((one) => one.checkVisibility());
const go = (step) => {
  const all = listed();
  const at = all.indexOf(document.activeElement);
  all[at < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + step, 0), all.length - 1)]?.focus();
};
onKey("j", () => go(1));
onKey("k", () => go(-1));

ready();
document.addEventListener("htmx:historyRestore", () => {
  shown = document.getElementById("day")?.dataset.date;
  ready();
});
