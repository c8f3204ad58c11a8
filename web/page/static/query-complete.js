// Completes what is typed in a query: words of SPARQL, variables, prefixes, kinds and properties by their names and by
// what they are called, and values of the property that stands before.
const WORDS = [
  "SELECT", "DISTINCT", "WHERE", "CONSTRUCT", "DESCRIBE", "ASK", "OPTIONAL", "UNION", "MINUS", "FILTER", "NOT EXISTS",
  "BIND", "VALUES", "GRAPH", "GROUP BY", "HAVING", "ORDER BY", "DESC", "LIMIT", "OFFSET", "COUNT", "SUM", "AVG", "MIN",
  "MAX", "SAMPLE", "GROUP_CONCAT", "AS", "PREFIX", "STR", "LANG", "REGEX", "CONTAINS", "LCASE", "STRSTARTS", "SUBSTR",
  "YEAR", "MONTH", "DAY", "HOURS", "IF", "COALESCE", "BOUND", "NOW", "IN",
];
const KINDS = { class: "class", property: "property", function: "function" };
const MOST = 200;

let known = { prefixes: {}, terms: [] };
export async function learn() {
  const answered = await fetch("/query/terms");
  if (answered.ok) known = await answered.json();
}

const number = new Intl.NumberFormat("en-GB");
const option = (term) => ({
  label: term.name,
  type: KINDS[term.kind],
  detail: [term.label, term.count ? number.format(term.count) : ""].filter(Boolean).join(" · "),
  info: term.about || undefined,
  boost: Math.min(99, Math.log2(1 + term.count) * 4),
  apply: term.takes ? `${term.name}(${term.takes})` : term.name,
});

// Names whose own name or label has what is typed, in the order of how much they are used.
const names = (typed, wanted) => {
  const sought = typed.toLowerCase();
  return known.terms
    .filter((term) => (!wanted || term.kind === wanted) && (!sought || term.name.toLowerCase().includes(sought) || term.label.toLowerCase().includes(sought)))
    .sort((one, other) => Number(other.name.toLowerCase().startsWith(sought)) - Number(one.name.toLowerCase().startsWith(sought)) || other.count - one.count)
    .slice(0, MOST)
    .map(option);
};

// The IRI of a name as this query writes it.
const iriOf = (name, query) => {
  if (name === "a") return null;
  if (name.startsWith("<")) return name.slice(1, -1);
  const at = name.indexOf(":");
  const prefix = name.slice(0, at);
  const own = query.match(new RegExp(`PREFIX\\s+${prefix.replace(/[^\w-]/g, "")}:\\s*<([^<>\\s]*)>`, "i"));
  const base = own ? own[1] : known.prefixes[prefix];
  return base === undefined ? null : base + name.slice(at + 1);
};

const values = async (iri, part) => {
  const answered = await fetch(`/query/values?${new URLSearchParams({ p: iri, part })}`);
  return answered.ok ? answered.json() : [];
};
const asOption = (value) => ({
  label: value.label.length > 90 ? `${value.label.slice(0, 89)}…` : value.label,
  type: "text",
  detail: value.count ? number.format(value.count) : "",
  apply: value.text,
});

const NAME = "(?:<[^<>\\s]*>|[\\w-]*:[\\w.-]+)";

// After a property: its values, in quotes or not yet.
async function valuesAt(context, query) {
  const quoted = context.matchBefore(new RegExp(`${NAME}\\s+"[^"\\n]*`));
  const bare = quoted ?? context.matchBefore(new RegExp(`${NAME}\\s+[\\w]*`));
  if (!bare) return null;
  const [, name, gap, typed] = bare.text.match(new RegExp(`^(${NAME})(\\s+)(.*)$`, "s"));
  const term = known.terms.find((one) => one.name === name);
  if (term && term.kind !== "property") return null;
  const iri = iriOf(name, query);
  if (!iri || (!quoted && !typed && !context.explicit && gap.includes("\n"))) return null;
  const found = await values(iri, typed.replace(/^"/, ""));
  if (context.aborted || !found.length) return null;
  return { from: context.pos - typed.length, to: closed(context), options: found.map(asOption), filter: false };
}
// A quote that was closed by itself is part of what is replaced.
const closed = (context) => {
  const line = context.state.doc.lineAt(context.pos);
  const after = line.text.slice(context.pos - line.from);
  const before = line.text.slice(0, context.pos - line.from);
  return after.startsWith('"') && (before.split('"').length - 1) % 2 === 1 ? context.pos + 1 : context.pos;
};

const variables = (query, typed) => [...new Set(query.match(/\?\w+/g) ?? [])].filter((one) => one !== typed);

// A source of completions for the editor; `text` gives the whole query.
export const completes = (text) => async (context) => {
  const query = text();
  const variable = context.matchBefore(/\?\w*/);
  if (variable) return { from: variable.from, options: variables(query, variable.text).map((label) => ({ label, type: "variable" })) };
  const ofKind = context.matchBefore(/(?:^|[\s;{])(?:a|rdf:type)\s+[\w:-]*/);
  if (ofKind) {
    const typed = ofKind.text.match(/[\w:-]*$/)[0];
    return { from: context.pos - typed.length, options: names(typed, "class"), filter: false };
  }
  const found = await valuesAt(context, query);
  if (found) return found;
  const word = context.matchBefore(/[\w-]+:?[\w.-]*/);
  if (!word && !context.explicit) return null;
  const typed = word?.text ?? "";
  const said = typed.includes(":") ? [] : WORDS.filter((one) => one.startsWith(typed.toUpperCase())).map((label) => ({ label, type: "keyword", boost: typed ? 99 : 0 }));
  const prefixes = typed.includes(":") ? [] : Object.keys(known.prefixes).filter((one) => one.startsWith(typed)).map((one) => ({ label: `${one}:`, type: "namespace", detail: known.prefixes[one] }));
  return { from: context.pos - typed.length, options: [...said, ...names(typed), ...prefixes], filter: false };
};
