// Rules and maps: an editor in place of the text area; what is wrong is marked where it stands.
import { editor } from "./vendor/editor.js";

const form = document.getElementById("write");
const area = document.getElementById("text");
const place = document.getElementById("editor");
const download = document.getElementById("download");
const CHECK_AFTER = 1200;
const kept = `reqap-kg own ${form.dataset.kind}`;

// What is being written is kept until this tab is closed; a document that is begun from takes its place.
const begun = form.dataset.start ? null : sessionStorage.getItem(kept);
if (begun) area.value = begun;
place.hidden = false;
let checking = 0;
const write = editor({
  parent: place,
  text: area.value,
  language: "turtle",
  nonce: document.querySelector("meta[name=style-nonce]").content,
  label: form.dataset.kind === "rules" ? "Rules in Turtle" : "Map in Turtle",
  submit: () => form.requestSubmit(),
  changed: (text) => {
    area.value = text;
    sessionStorage.setItem(kept, text);
    clearTimeout(checking);
    checking = setTimeout(check, CHECK_AFTER);
  },
});
area.hidden = true;
document.querySelector("label[for=text]").hidden = true;

const mark = (within) => {
  const told = within.querySelector("[data-marks]");
  if (told) write.mark(JSON.parse(told.dataset.marks));
};
async function check() {
  const text = write.text;
  try {
    const body = new URLSearchParams({ kind: form.dataset.kind, start: form.dataset.start, text });
    const answered = await fetch("/data/rules/check", { method: "POST", body, headers: { "HX-Request": "true" } });
    if (!answered.ok || write.text !== text) return;
    const found = document.createElement("div");
    found.innerHTML = await answered.text();
    mark(found);
  } catch {
    // The service is away; that is said when it is asked to check.
  }
}
document.addEventListener("htmx:afterSwap", (event) => event.detail.target.id === "checked" && mark(event.detail.target));

download.hidden = false;
download.addEventListener("click", () => {
  const address = URL.createObjectURL(new Blob([write.text], { type: "text/turtle" }));
  Object.assign(document.createElement("a"), { href: address, download: download.dataset.name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
});
