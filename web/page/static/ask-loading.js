// Loads parts of a page that come by themselves: `data-load` names where they are. What is not wanted any more is given up
// without a word, as where another page is opened.
import { drawAll } from "./chart.js";

const running = new Map();

const load = async (element) => {
  const control = new AbortController();
  running.set(element, control);
  try {
    const response = await fetch(element.dataset.load, { headers: { "HX-Request": "true", Accept: "text/html" }, signal: control.signal });
    element.removeAttribute("data-load");
    if (response.status === 499) return;
    element.innerHTML = await response.text();
    globalThis.htmx?.process(element);
    drawAll(element);
  } catch (bad) {
    if (bad.name !== "AbortError") element.replaceChildren();
  } finally {
    running.delete(element);
  }
};

// Begins to load what is in there, one after the other.
export const loadAll = async (within = document) => {
  for (const element of within.querySelectorAll("[data-load]")) if (element.isConnected) await load(element);
};

// Gives up what is being loaded.
export const giveUp = () => {
  for (const control of running.values()) control.abort();
};

addEventListener("pagehide", giveUp);
loadAll();
