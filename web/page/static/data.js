// The data page: files are dropped or chosen, sent in slices, and jobs are followed; dialogs ask before something goes.
import { Stopped, send } from "./data-send.js";

const drop = document.getElementById("drop");
const sending = document.getElementById("sending");
const jobs = document.getElementById("jobs");

// All files of what was dropped, with their paths: folders are walked through.
const walked = async (entry) => {
  if (entry.isFile) return new Promise((resolve) => entry.file((file) => resolve([{ file, path: entry.fullPath.replace(/^\//, "") }]), () => resolve([])));
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (!some.length) return found;
    for (const one of some) found.push(...(await walked(one)));
  }
};
const dropped = async (transfer) => {
  const entries = [...transfer.items].filter((item) => item.kind === "file").map((item) => item.webkitGetAsEntry?.() ?? item.getAsFile());
  const found = [];
  for (const entry of entries) {
    if (entry instanceof File) found.push({ file: entry, path: entry.name });
    else if (entry) found.push(...(await walked(entry)));
  }
  return found;
};
const isHidden = (path) => path.split("/").some((part) => part.startsWith(".") || part === "__MACOSX");

const part = (tag, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};
const put = (html) => {
  const place = document.createElement("template");
  place.innerHTML = html;
  const article = place.content.querySelector("article");
  jobs.prepend(...place.content.childNodes);
  window.htmx.process(jobs);
  article?.scrollIntoView({ block: "nearest" });
};

let isSending = false;
const wrong = (text, again) => {
  const note = part("div", { className: "note error", role: "alert" }, part("strong", { textContent: "Not sent. " }), text);
  const tries = part("button", { type: "button", textContent: "Try again" });
  const leaves = part("button", { type: "button", textContent: "Leave it" });
  tries.addEventListener("click", again);
  leaves.addEventListener("click", () => (sending.hidden = true));
  sending.replaceChildren(note, part("div", { className: "row" }, tries, leaves));
};

async function bring(files) {
  const wanted = files.filter((one) => !isHidden(one.path));
  if (isSending || !wanted.length) return;
  const title = wanted.length === 1 ? wanted[0].path : `${wanted.length.toLocaleString("en-GB")} files`;
  const bar = part("progress", { max: 100, value: 0 });
  bar.setAttribute("aria-label", `Sending ${title}`);
  const said = part("span", { className: "small" });
  const stop = part("button", { type: "button", textContent: "Stop" });
  const stopping = new AbortController();
  stop.addEventListener("click", () => stopping.abort());
  sending.replaceChildren(
    part("div", { className: "goes" }, part("div", { className: "row wide" }, part("strong", { textContent: title }), stop), part("div", { className: "bar" }, bar, said)),
  );
  sending.hidden = false;
  isSending = true;
  const told = (share, left) => {
    bar.value = Math.round(share * 100);
    said.textContent = `Bringing it to the service, ${bar.value} %${left ? ` · ${left}` : ""}`;
  };
  try {
    put(await send(wanted, { slice: Number(drop.dataset.slice), rate: Number(drop.dataset.rate), told, signal: stopping.signal }));
    sending.hidden = true;
  } catch (bad) {
    if (bad instanceof Stopped) sending.hidden = true;
    else wrong(bad.message, () => bring(files));
  } finally {
    isSending = false;
  }
}
addEventListener("beforeunload", (event) => isSending && event.preventDefault());

if (drop) {
  for (const input of drop.querySelectorAll("input[type=file]")) {
    input.addEventListener("change", () => {
      const files = [...input.files].map((file) => ({ file, path: file.webkitRelativePath || file.name }));
      input.value = "";
      bring(files);
    });
  }
  let inside = 0;
  const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  document.addEventListener("dragenter", (event) => {
    if (!hasFiles(event)) return;
    inside += 1;
    drop.classList.add("over");
  });
  document.addEventListener("dragleave", (event) => {
    if (!hasFiles(event)) return;
    inside = Math.max(0, inside - 1);
    drop.classList.toggle("over", inside > 0);
  });
  document.addEventListener("dragover", (event) => hasFiles(event) && event.preventDefault());
  document.addEventListener("drop", async (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    inside = 0;
    drop.classList.remove("over");
    bring(await dropped(event.dataTransfer));
  });
}

// A question before something goes is a dialog; what it decides closes it.
const dialog = document.getElementById("ask-first");
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target === dialog && !dialog.open) dialog.showModal();
});
dialog?.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("[data-closes]")) return;
  if (form.method === "get") event.preventDefault();
  dialog.close();
});
dialog?.addEventListener("click", (event) => event.target === dialog && dialog.close());

// What the store holds stands at the foot of the navigation, too.
document.body.addEventListener("data-changed", () => window.htmx.ajax("GET", "/parts/foot", { target: ".foot", swap: "innerHTML" }));
