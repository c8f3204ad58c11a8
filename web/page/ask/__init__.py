"""Questions and conversations: the answer, how it was read, and why.

In: an address that says a question, the turns before it and perhaps a tree (`asked.py`). Out: the page of its answer,
and the parts of it that come when they are wanted. Begin in `routes.py`: `answering.py` asks the engine and keeps
answers (`kept.py`), `view.py` says what is shown of them; `rows.py` has the reasons, `tabs.py` and `panels.py` what can
be looked at below, `how.py` and `picture.py` how it ran, `beside.py` what is looked up once the answer stands.
"""
