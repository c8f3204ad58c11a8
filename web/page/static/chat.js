// A conversation: the box is empty again once something is said, and the last turn is in sight.
const form = document.querySelector("[data-say]");
const talk = document.getElementById("talk");
const input = form.querySelector("input[type=text]");

document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.elt === form && !input.value.trim()) event.preventDefault();
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (!event.detail.successful) return;
  talk.querySelector("[data-empty]:not(:only-child)")?.remove();
  talk.lastElementChild?.scrollIntoView({ block: "nearest" });
  if (event.detail.elt === form) input.value = "";
  input.focus();
});
form.querySelector("[data-stop]").addEventListener("click", () => form.dispatchEvent(new CustomEvent("htmx:abort")));
