"""From a logical form to an operator tree with open leaves.

In: a `Form` (`operators/forms`), whose words are those of the question. Out: the text of a tree. Begin with `trees.py`;
`lowering.py` has what all operators share, `leaves.py` says which words a leaf takes and which become conditions.
"""
