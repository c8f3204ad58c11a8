"""RETRIEVE: the events that a query means (ReQAP, section 3.2.1).

In: a query in words. Out: events with scores, as a derivation where they were searched. Read `retrieve.py`: it joins
the five stages, one module each. Beside them stand phrases that name a class and cost no model (`phrases/`), and the
ranking of what people said in chats (`talk/`).
"""
