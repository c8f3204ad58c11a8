"""What is declared in Turtle: RML maps of exports, patterns, rules, lexicons; and the engine that runs maps
(`rml/`)."""
