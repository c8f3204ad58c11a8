// Draws Vega-Lite without `eval`: the content security policy of the page forbids it.
import embed from "vega-embed";
import { expressionInterpreter } from "vega-interpreter";

export const draw = (element, specification, options = {}) =>
  embed(element, specification, { ast: true, expr: expressionInterpreter, actions: false, defaultStyle: false, renderer: "svg", ...options });
