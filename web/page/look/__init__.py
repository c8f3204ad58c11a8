"""Looking around: the timeline, a day, people and places, events, a map, search.

In: addresses that a person can keep. Out: pages, read beside the engine's work. Begin in `routes.py`:
`timeline_pages.py`, `event_pages.py`, `thing_pages.py` and `finding_pages.py` answer. What all of them know of the data
stands in `life.py`, one event as a page shows it in `events.py`, a day put together in `day.py`, kinds of people,
places and things in `kinds.py`.
"""
