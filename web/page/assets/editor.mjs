// An editor for SPARQL, for Turtle and for plain text, from CodeMirror's parts.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { sparql } from "@codemirror/legacy-modes/mode/sparql";
import { turtle } from "@codemirror/legacy-modes/mode/turtle";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState, Prec } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const LANGUAGES = { sparql, turtle };
const COLOURS = HighlightStyle.define([
  { tag: tags.keyword, class: "code-keyword" },
  { tag: [tags.string, tags.special(tags.string)], class: "code-string" },
  { tag: tags.comment, class: "code-comment" },
  { tag: [tags.variableName, tags.special(tags.variableName)], class: "code-variable" },
  { tag: [tags.atom, tags.number, tags.bool], class: "code-value" },
  { tag: [tags.propertyName, tags.typeName, tags.name], class: "code-name" },
]);

// An editor in `parent`; `complete(context)` is a source of completions, `submit()` is called by Ctrl-Enter, `nonce` is
// that of the page's styles.
export function editor({ parent, text = "", language = "", nonce, complete, submit, changed, label }) {
  const extensions = [
    lineNumbers(), history(), drawSelection(), bracketMatching(), closeBrackets(), highlightActiveLine(), lintGutter(),
    syntaxHighlighting(COLOURS), EditorView.lineWrapping, EditorView.cspNonce.of(nonce),
    EditorView.contentAttributes.of({ "aria-label": label ?? "Text", tabindex: "0" }),
    keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap]),
  ];
  if (LANGUAGES[language]) extensions.push(StreamLanguage.define(LANGUAGES[language]));
  if (complete) extensions.push(autocompletion({ override: [complete] }));
  if (submit) extensions.push(Prec.highest(keymap.of([{ key: "Mod-Enter", run: () => (submit(), true) }])));
  if (changed) extensions.push(EditorView.updateListener.of((update) => update.docChanged && changed(update.state.doc.toString())));
  const view = new EditorView({ parent, state: EditorState.create({ doc: text, extensions }) });
  return {
    view,
    get text() { return view.state.doc.toString(); },
    set text(value) { view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } }); },
    // Marks places: [{ line, column, message, severity }], counted from one.
    mark(places) {
      const found = places.map(({ line = 1, column = 1, message, severity = "error" }) => {
        const row = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
        const from = Math.min(row.from + Math.max(column - 1, 0), row.to);
        return { from, to: Math.min(from + 1, row.to) , severity, message };
      });
      view.dispatch(setDiagnostics(view.state, found));
    },
    focus() { view.focus(); },
  };
}
