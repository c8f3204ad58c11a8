// The map: land as outlines, places as points as large as their events are many; nearer, farther, and to a place's page.
const NEAREST = 0.05; // degrees across, at the least
const LEAST = 2; // of what is shown at first
const LEFT_OUT = 0.04; // share of events on each side that need not be seen at first
const LONGEST = 24; // characters of a name on the map
const SVG = "http://www.w3.org/2000/svg";

const figure = document.querySelector("[data-map]");
const svg = figure?.querySelector("svg");
const places = [...document.querySelectorAll("[data-places] > li")].map((item) => ({
  item,
  link: item.querySelector("a"),
  events: Number(item.dataset.events),
  x: Number(item.dataset.longitude),
  y: upwards(Number(item.dataset.latitude)),
}));

// Mercator: degrees to the north as far apart as degrees to the east are there.
function upwards(latitude) {
  const within = Math.max(-82, Math.min(82, latitude));
  return (-180 / Math.PI) * Math.log(Math.tan(Math.PI / 4 + (within * Math.PI) / 360));
}

const made = (name, attributes, ...inside) => {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...inside);
  return node;
};

// Outlines of a TopoJSON file, as lines of positions.
const outlines = (world) => {
  const { scale, translate } = world.transform;
  const arcs = world.arcs.map((arc) => {
    let x = 0;
    let y = 0;
    return arc.map(([dx, dy]) => [(x += dx) * scale[0] + translate[0], (y += dy) * scale[1] + translate[1]]);
  });
  const ring = (numbers) => numbers.flatMap((number) => (number < 0 ? [...arcs[~number]].reverse() : arcs[number]));
  return world.objects.countries.geometries.flatMap((country) =>
    (country.type === "Polygon" ? [country.arcs] : country.arcs ?? []).flatMap((rings) => rings.map(ring)));
};

const path = (rings) => rings.map((ring) => {
  const parts = ring.map(([x, y], at) => {
    const jumps = at > 0 && Math.abs(x - ring[at - 1][0]) > 180;
    return `${at === 0 || jumps ? "M" : "L"}${x.toFixed(2)} ${upwards(y).toFixed(2)}`;
  });
  return parts.join("");
}).join("");

let size = { width: 800, height: 560 };
let view = { x: -180, y: -150, wide: 360 };
const high = () => (view.wide * size.height) / size.width;
const land = made("path", { class: "land", "fill-rule": "evenodd" });
const points = made("g", {});
const names = made("g", { class: "names", "aria-hidden": "true" });

const most = Math.max(...places.map((place) => place.events), 1);
const radius = (events) => 5 + 15 * Math.sqrt(events / most);

const draw = () => {
  const scale = size.width / view.wide;
  land.setAttribute("transform", `scale(${scale}) translate(${-view.x} ${-view.y})`);
  const taken = [];
  for (const place of places) {
    const [x, y] = [(place.x - view.x) * scale, (place.y - view.y) * scale];
    const large = radius(place.events);
    place.point.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    const inside = x > -large && y > -large && x < size.width + large && y < size.height + large;
    place.point.setAttribute("display", inside ? "inline" : "none");
    const half = place.label.textContent.length * 3.6;
    const box = [x - half, y - large - 20, x + half, y - large];
    const free = inside && box[0] > 0 && box[2] < size.width && taken.every((one) => box[0] > one[2] || box[2] < one[0] || box[1] > one[3] || box[3] < one[1]);
    if (free) taken.push(box, [x - large, y - large, x + large, y + large]);
    place.label.setAttribute("transform", `translate(${x.toFixed(1)} ${(y - large - 5).toFixed(1)})`);
    place.label.setAttribute("display", free ? "inline" : "none");
  }
};

const around = ([west, east], [top, bottom]) => {
  const wide = Math.min(360, Math.max(LEAST, (east - west) * 1.25, ((bottom - top) * 1.4 * size.width) / size.height));
  view = { wide, x: (west + east) / 2 - wide / 2, y: (top + bottom) / 2 - (wide * size.height) / size.width / 2 };
  draw();
};

// Between which two numbers nearly all events are: one journey round the world does not make home a dot.
const nearly = (of, left) => {
  const ordered = [...places].sort((one, other) => of(one) - of(other));
  const all = ordered.reduce((sum, place) => sum + place.events, 0);
  const end = (some) => {
    let passed = 0;
    return of(some.find((place) => (passed += place.events) > all * left) ?? some[0]);
  };
  return [end(ordered), end([...ordered].reverse())];
};
const home = (left) => around(nearly((place) => place.x, left), nearly((place) => place.y, left));

const measure = () => {
  const box = svg.getBoundingClientRect();
  if (!box.width) return;
  size = { width: box.width, height: box.height };
  svg.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
};

const zoom = (by, [x, y] = [0.5, 0.5]) => {
  const wide = Math.max(NEAREST, Math.min(360, view.wide * by));
  const [east, south] = [view.x + x * view.wide, view.y + y * high()];
  view = { wide, x: east - x * wide, y: south - (y * wide * size.height) / size.width };
  draw();
};

const shift = (x, y) => {
  view = { ...view, x: view.x + x * view.wide, y: view.y + y * high() };
  draw();
};

const begin = async () => {
  svg.append(land, points, names);
  for (const place of places) {
    const name = place.link.textContent;
    const cut = [...name].length > LONGEST ? `${[...name].slice(0, LONGEST).join("")}…` : name;
    place.label = made("text", {}, cut);
    const told = `${name}: ${place.events.toLocaleString("en")} ${place.events === 1 ? "event" : "events"}`;
    place.point = made("a", { class: "place", href: place.link.getAttribute("href"), "aria-label": told },
      made("circle", { r: radius(place.events) }), made("title", {}, told));
    names.prepend(place.label);
    points.append(place.point); // of most events first: small points lie over large ones
    for (const one of [place.item, place.point]) {
      one.addEventListener("pointerenter", () => place.point.classList.add("near"));
      one.addEventListener("pointerleave", () => place.point.classList.remove("near"));
    }
  }
  measure();
  home(LEFT_OUT);
  new ResizeObserver(() => {
    measure();
    draw();
  }).observe(svg);
  land.setAttribute("d", path(outlines(await (await fetch(figure.dataset.map)).json())));
};

const listen = () => {
  figure.querySelector("[data-zoom=in]").addEventListener("click", () => zoom(0.5));
  figure.querySelector("[data-zoom=out]").addEventListener("click", () => zoom(2));
  figure.querySelector("[data-zoom=all]").addEventListener("click", () => home(0));
  const at = (event) => {
    const box = svg.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  };
  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(event.deltaY < 0 ? 0.8 : 1.25, at(event));
  }, { passive: false });
  let from = null;
  let moved = false;
  svg.addEventListener("pointerdown", (event) => {
    [from, moved] = [at(event), false];
  });
  window.addEventListener("pointermove", (event) => {
    if (!from || !event.buttons) return;
    const to = at(event);
    if (!moved && Math.hypot(to[0] - from[0], to[1] - from[1]) < 0.01) return;
    moved = true;
    shift(from[0] - to[0], from[1] - to[1]);
    from = to;
  });
  window.addEventListener("pointerup", () => {
    from = null;
  });
  svg.addEventListener("click", (event) => {
    if (moved) event.preventDefault();
  }, true);
  svg.addEventListener("dragstart", (event) => event.preventDefault());
};

if (svg && places.length) {
  listen();
  begin();
}
