"""Where somebody was: location histories and check-ins.

In: an export's files. Out: a record for each visit, trip and check-in; of raw points, visits and trips are derived.
Begin with `google_location.py`, then `stay_points.py`.
"""
