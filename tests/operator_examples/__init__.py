"""Examples of what each operator does at the edges, one or more for each row of the table in docs/operators.md."""
