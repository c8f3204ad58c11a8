// Writes ../static/vendor: what the page loads of others, each once, with the licences of all that is in it.
import { copyFile, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const OUT = "../static/vendor";
await rm(OUT, { recursive: true, force: true });
await mkdir(OUT, { recursive: true });
const made = await build({
  entryPoints: { charts: "charts.mjs", editor: "editor.mjs" },
  outdir: OUT, bundle: true, minify: true, format: "esm", target: "es2022", charset: "utf8", legalComments: "none", metafile: true,
});
const PLAIN = {
  "htmx.min.js": ["htmx.org", "dist/htmx.min.js"],
  "world.json": ["world-atlas", "countries-110m.json"],
  "inter-latin.woff2": ["@fontsource-variable/inter", "files/inter-latin-wght-normal.woff2"],
  "inter-latin-ext.woff2": ["@fontsource-variable/inter", "files/inter-latin-ext-wght-normal.woff2"],
};
for (const [name, [from, path]] of Object.entries(PLAIN)) await copyFile(join("node_modules", from, path), join(OUT, name));

const names = new Set(Object.values(PLAIN).map(([from]) => from));
for (const path of Object.keys(made.metafile.inputs)) {
  const parts = path.split("node_modules/").pop().split("/");
  if (path.includes("node_modules/")) names.add(parts[0].startsWith("@") ? parts.slice(0, 2).join("/") : parts[0]);
}
const texts = new Map();
for (const name of [...names].sort()) {
  const folder = join("node_modules", name);
  const about = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const file = (await readdir(folder)).find((one) => /^(licen[cs]e|copying)/i.test(one));
  const text = file ? (await readFile(join(folder, file), "utf8")).trim() : `Licence: ${about.license}`;
  texts.set(text, [...(texts.get(text) ?? []), `${name} ${about.version} (${about.license})`]);
}
const sections = [...texts].map(([text, users]) => `${users.join("\n")}\n\n${text}\n`);
await writeFile(join(OUT, "LICENSES.txt"), sections.join(`\n${"-".repeat(80)}\n\n`));
