// Saved queries: in this browser alone, each by a name of its own.
const SAVED = "reqap-kg saved queries";

const all = () => {
  try {
    const held = JSON.parse(localStorage.getItem(SAVED) ?? "[]");
    return Array.isArray(held) ? held.filter((one) => typeof one?.name === "string" && typeof one?.query === "string") : [];
  } catch {
    return [];
  }
};
const keep = (queries) => {
  try {
    localStorage.setItem(SAVED, JSON.stringify(queries));
  } catch {
    // A browser that keeps nothing shows what there is until it is left.
  }
};

const shown = (query, forget) => {
  const line = document.createElement("li");
  const link = Object.assign(document.createElement("a"), { href: `/query?${new URLSearchParams({ q: query.query })}` });
  link.textContent = query.name;
  const button = Object.assign(document.createElement("button"), { type: "button", className: "link" });
  button.textContent = "Delete";
  button.setAttribute("aria-label", `Delete ${query.name}`);
  button.addEventListener("click", () => forget(query));
  line.append(link, button);
  return line;
};

// Shows them, and saves what `text()` gives when it is asked to.
export function savedQueries({ text }) {
  const dialog = document.getElementById("save-as");
  const name = document.getElementById("save-name");
  const button = document.getElementById("save");
  const show = () => {
    const queries = all();
    document.getElementById("saved").hidden = queries.length === 0;
    document.getElementById("saved-list").replaceChildren(...queries.map((query) => shown(query, forget)));
  };
  const forget = (query) => {
    keep(all().filter((one) => one.name !== query.name));
    show();
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    if (!text().trim()) return;
    name.value = all().find((one) => one.query === text())?.name ?? "";
    dialog.returnValue = "";
    dialog.showModal();
    name.select();
  });
  dialog.addEventListener("close", () => {
    const called = name.value.trim();
    if (dialog.returnValue !== "save" || !called) return;
    keep([{ name: called, query: text() }, ...all().filter((one) => one.name !== called)]);
    show();
  });
  window.addEventListener("storage", (event) => event.key === SAVED && show());
  show();
}
