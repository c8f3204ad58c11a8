"""Questions, operator trees and events as JSON, for programs.

In: requests by HTTP, already let in (`web/http`). Out: the objects that the command line prints with --json, or the
steps of the work as Server-Sent Events. Begin with `operations.py`: the table of all that can be asked, from which both
`routes.py` and the OpenAPI document (`document.py`) are made. `requests.py` reads a request into one of `models.py`;
`operations.py` answers; `working.py` keeps the work that runs, so that it can be stopped,
and `streaming.py` tells its steps.
"""
