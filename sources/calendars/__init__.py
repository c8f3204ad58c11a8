"""iCalendar: entries, recurrence, time zones.

In: an `.ics` file. Out: a record for each occurrence. Begin with `icalendar.py`.
"""
