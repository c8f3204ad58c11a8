"""How well and how fast questions are answered by rules alone, by the parser alone and by both, over all suites.

In: a folder of data. Out: a table, to hold against one of later code. Begin with `__main__`; `measuring` puts a
suite to a way, `questions` are the checkout's own suites; `parsing` looks at the forms that parsers write.
"""
