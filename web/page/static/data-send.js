// Sends files in slices, as no request may be long: each begins with a line that says which pieces of which files it
// has. What is too often is sent again later; what got lost is sent again.
export class Stopped extends Error {}

const HEAD = 4096;
const LEAST = 4096;
const TRIES = 4;
const WAIT = 1000;
const SHARE = 0.75;

const pause = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    const late = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => (clearTimeout(late), reject(new Stopped())), { once: true });
  });

const encoder = new TextEncoder();
const headOf = (pieces) => `${JSON.stringify(pieces)}\n`;

// Slices, each the bytes of as many pieces as there is room for.
function* slices(files, most) {
  let pieces = [];
  let parts = [];
  let room = most;
  const whole = () => {
    const made = { body: new Blob([headOf(pieces), ...parts]), bytes: parts.reduce((sum, one) => sum + one.size, 0) };
    pieces = [];
    parts = [];
    room = most;
    return made;
  };
  for (const { file, path } of files) {
    let from = 0;
    do {
      const cost = encoder.encode(JSON.stringify({ path, size: file.size, from: file.size, length: file.size })).length + 4;
      if (pieces.length && room < cost + Math.min(file.size - from, LEAST)) yield whole();
      const length = Math.min(file.size - from, Math.max(1, room - cost));
      pieces.push({ path, size: file.size, from, length });
      parts.push(file.slice(from, from + length));
      from += length;
      room -= cost + length;
    } while (from < file.size);
  }
  if (pieces.length) yield whole();
}

const said = async (answered) => {
  try {
    const problem = await answered.json();
    const detail = problem.detail ?? "";
    return detail ? `${detail[0].toUpperCase()}${detail.slice(1)}.` : `The service answered ${answered.status}.`;
  } catch {
    return `The service answered ${answered.status}.`;
  }
};

// One request, again where it got lost or came too often.
async function ask(address, options, signal) {
  for (let tried = 1; ; tried += 1) {
    let answered = null;
    try {
      answered = await fetch(address, { ...options, signal });
    } catch (bad) {
      if (signal.aborted) throw new Stopped();
      if (tried === TRIES) throw new Error("The service does not answer. Does reqap-kg serve still run? Nothing is lost.");
      await pause(WAIT * tried, signal);
      continue;
    }
    if (answered.ok) return answered;
    if (answered.status === 429) {
      await pause(1000 * Number(answered.headers.get("Retry-After") ?? 5), signal);
      tried -= 1;
      continue;
    }
    if (answered.status === 404) throw new Error("The service began anew meanwhile, and what was sent is gone.");
    throw new Error(await said(answered));
  }
}

const inWords = (seconds) => (seconds < 5 ? "" : seconds < 55 ? `about ${Math.round(seconds / 5) * 5} s left` : `about ${Math.max(1, Math.round(seconds / 60))} min left`);

// Sends [{ file, path }]; gives the fragment of the page that shows what became of them.
export async function send(files, { slice, rate, told, signal }) {
  const bytes = files.reduce((sum, one) => sum + one.file.size, 0);
  const begun = await ask("/data/uploads", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ files: files.length, bytes }) }, signal);
  const { name } = await begun.json();
  const at = `/data/uploads/${name}`;
  const apart = bytes / slice > (rate * SHARE) / 2 ? 60000 / (rate * SHARE) : 0;
  const since = performance.now();
  let sent = 0;
  told(0, "");
  try {
    for (const one of slices(files, Math.max(LEAST, slice - HEAD))) {
      const before = performance.now();
      await ask(at, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: one.body }, signal);
      sent += one.bytes;
      const spent = (performance.now() - since) / 1000;
      told(bytes ? sent / bytes : 1, sent ? inWords((spent * (bytes - sent)) / sent) : "");
      const left = apart - (performance.now() - before);
      if (left > 0) await pause(left, signal);
    }
    const finished = await ask(`${at}/finish`, { method: "POST", headers: { "HX-Request": "true" } }, signal);
    return await finished.text();
  } catch (bad) {
    fetch(at, { method: "DELETE", keepalive: true }).catch(() => {});
    throw bad;
  }
}
