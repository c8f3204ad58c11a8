"""From a question to a tree that is run: proposals, tense, what is refused and how that is said.

In: a question. Out: an answer, or one sentence that says why there is none. Begin with `proposals.py`, then
`ready.py`. `grounds.py` says how likely an answer is the right one, and what is not sure of it.
"""
