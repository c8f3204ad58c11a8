// Results: table, chart and text as tabs; the latter two are loaded when they are first looked at.
import "./chart.js";

const chosen = (list, tab) => {
  for (const one of list.querySelectorAll("[role=tab]")) {
    const is = one === tab;
    one.setAttribute("aria-selected", String(is));
    one.tabIndex = is ? 0 : -1;
    document.getElementById(one.getAttribute("aria-controls")).hidden = !is;
  }
  const panel = document.getElementById(tab.getAttribute("aria-controls"));
  if (panel.hasAttribute("hx-get")) window.htmx.trigger(panel, "shown");
};

document.addEventListener("click", (event) => {
  const tab = event.target instanceof Element ? event.target.closest(".outcome [role=tab]") : null;
  if (tab) chosen(tab.closest("[role=tablist]"), tab);
});
document.addEventListener("keydown", (event) => {
  const tab = event.target instanceof Element ? event.target.closest(".outcome [role=tab]") : null;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!tab || !step) return;
  const tabs = [...tab.closest("[role=tablist]").querySelectorAll("[role=tab]")];
  const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
  event.preventDefault();
  chosen(tab.closest("[role=tablist]"), next);
  next.focus();
});
