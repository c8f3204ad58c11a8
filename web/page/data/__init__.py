"""What the store holds: bringing data in, sources, derivations, the doctor, own rules and maps.

Begin in `routes.py`. Files come in slices (`uploads.py`) into a folder of their own (`jobs.py`). What takes long is
done by a process of its own (`job_processes.py` starts it, `process.py` is it), which tells in files how far it is:
it goes on when the page is closed. `job_processes.py` then reads texts ahead; `views.py` says how far all of it is.
`sources.py` and `derived.py` know what there is; rules and maps are in `authoring_pages.py`.
"""
