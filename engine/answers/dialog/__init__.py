"""Query answer modification: an answer that is too large becomes a dialog that leads to what was meant.

After J. P. V. Pinheiro, M. A. Casanova and E. S. Menendez, Improving the Quality of the User Experience by Query Answer
Modification. In: the events behind an answer and the columns of the store. Out: a `Dialog`: the question that splits
the answer best, its choices with the tree that each leads to, and the events ranked by InfoRank. Begin with
`dialog.py`; what is known of the events is made in `enriching.py`, groups in `grouping.py`, the sentence in
`wording.py`, and what somebody replies is read in `replies.py`.
"""
