// Draws the charts of answers from their Vega-Lite, in the colours of the page, as wide as there is room.
const DARK = matchMedia("(prefers-color-scheme: dark)");
const COLOURS = {
  "#ffffff": "--paper", "#1b1d1f": "--ink", "#5c6166": "--soft", "#e4e1da": "--line", "#0f6b5c": "--accent", "#e3f0ec": "--ground",
  "#f3f1ec": "--empty", "#c0572b": "--places", "#3c6db3": "--words", "#8a6d1f": "--goods", "#7b5ea7": "--music",
};
const LEAST_WIDTH = 240;
const drawn = new WeakMap();

// The same specification in the page's own colours.
const coloured = (value, style) => {
  if (typeof value === "string") return COLOURS[value] ? style.getPropertyValue(COLOURS[value]).trim() || value : value;
  if (Array.isArray(value)) return value.map((one) => coloured(one, style));
  if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, coloured(one, style)]));
  return value;
};

const mercator = (degrees) => Math.log(Math.tan(Math.PI / 4 + (degrees * Math.PI) / 360));
let world = null;
const outlines = () => (world ??= fetch(new URL("./vendor/world.json", import.meta.url)).then((response) => response.json()));

// The outlines of countries below the points, and the part of the world that the lines of the map are of.
const mapped = async (spec, style) => {
  const lines = spec.layer.find((one) => one.data?.graticule);
  const [[west, south], [east, north]] = lines.data.graticule.extent;
  const { width, height } = spec;
  const scale = width / (((east - west) * Math.PI) / 180);
  const up = spec.projection.type === "mercator" ? (mercator(north) + mercator(south)) / 2 : ((north + south) / 2) * (Math.PI / 180);
  const middle = ((east + west) / 2) * (Math.PI / 180);
  const land = {
    data: { values: await outlines(), format: { type: "topojson", feature: "countries" } },
    mark: { type: "geoshape", fill: style.getPropertyValue("--line").trim(), stroke: style.getPropertyValue("--paper").trim(), strokeWidth: 0.8, aria: false },
  };
  const places = spec.layer.filter((one) => one !== lines && one.mark?.aria !== false || one.mark?.type === "text");
  return {
    ...spec,
    projection: { ...spec.projection, scale, translate: [width / 2 - scale * middle, height / 2 + scale * up], clipExtent: [[0, 0], [width, height]] },
    layer: [land, ...places],
  };
};

const isWide = (spec) => Boolean(spec.vconcat || spec.hconcat || spec.projection);

const drawOne = async (figure) => {
  const [{ draw }, style] = [await import("./vendor/charts.js"), getComputedStyle(document.documentElement)];
  const given = JSON.parse(figure.dataset.chart);
  const target = figure.querySelector(".drawing");
  let spec = coloured(given, style);
  if (figure.classList.contains("map")) spec = await mapped(spec, style);
  const room = Math.max(LEAST_WIDTH, figure.clientWidth);
  if (!isWide(spec)) {
    const wide = typeof spec.width === "number" && spec.width < 400 ? Math.min(spec.width + 60, room) : room;
    spec = { ...spec, width: wide, autosize: { type: "fit", contains: "padding" } };
  }
  const fresh = document.createElement("div");
  const result = await draw(fresh, spec, { tooltip: { theme: "custom", disableDefaultStyle: true } });
  fresh.className = "drawing is-drawn";
  target.replaceWith(fresh);
  drawn.set(figure, result.view);
};

export const drawAll = (within = document) => {
  for (const figure of within.querySelectorAll("[data-chart]")) {
    if (figure.dataset.drawn) continue;
    figure.dataset.drawn = "yes";
    drawOne(figure).catch((bad) => {
      const said = Object.assign(document.createElement("p"), { className: "small soft", textContent: "This chart could not be drawn; the table has its numbers." });
      figure.querySelector(".drawing")?.replaceChildren(said);
      console.warn(bad);
    });
  }
};

const again = () => {
  for (const figure of document.querySelectorAll("[data-chart]")) delete figure.dataset.drawn;
  drawAll();
};
DARK.addEventListener("change", again);
let width = innerWidth;
let later = 0;
addEventListener("resize", () => {
  if (innerWidth === width) return;
  width = innerWidth;
  clearTimeout(later);
  later = setTimeout(again, 150);
});
document.addEventListener("htmx:afterSwap", (event) => drawAll(event.detail.target));
document.addEventListener("click", async (event) => {
  const figure = event.target.closest?.("[data-save-chart]")?.closest("[data-chart]");
  const view = figure && drawn.get(figure);
  if (!view) return;
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([await view.toSVG()], { type: "image/svg+xml" })), download: "chart.svg" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
});

drawAll();
