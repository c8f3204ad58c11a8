"""The commands that take care of a store: what is to be forgotten, backups, events for other programs. Begin with
`care_app.py`."""
