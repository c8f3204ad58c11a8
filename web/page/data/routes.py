"""The addresses of data: files that come, jobs, sources, what was found out, the doctor."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from ....engine.answers.sentence import source_in_words
from ....errors import StoreError, UsageError
from ....store.generations import EventGraph, exists
from ..frame.pages import Pages
from .authoring_pages import AuthoringPages
from .bringing import left_out_of
from .derived import read_derived
from .job_processes import ImportFollower, JobProcesses, settings_for
from .jobs import About, Job, Jobs, Kind, State, changing
from .process import Task
from .sources import SHOWN, Held, bytes_of, known_formats, read_held, read_left_out
from .uploads import Uploads
from .views import View, Viewing, ago

T = TypeVar("T")
_LONGEST: Final = 200
_MOST_RECORDS: Final = 10_000_000
_CHANGED: Final = {"HX-Trigger": "data-changed"}


@dataclass
class DataPages:
    """Answers requests about data."""

    pages: Pages
    jobs: Jobs = field(init=False)
    uploads: Uploads = field(init=False)
    processes: JobProcesses = field(default_factory=JobProcesses, init=False)
    follower: ImportFollower = field(init=False)
    viewing: Viewing = field(init=False)
    _held: Held | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.jobs = Jobs(self.pages.held.directory)
        self.uploads = Uploads(self.jobs)
        self.follower = ImportFollower(self.pages, self.processes)
        self.viewing = Viewing(self.processes, self.follower, self.pages.hidden)

    def resume(self) -> None:
        """Goes on to follow what a service before this one began."""
        for job in self.jobs.all():
            if job.state("run") is State.RUNS:
                self.follower.follow(job)

    # ------------------------------------------------------------ the page
    async def page(self, request: Request) -> Response:
        """All of it."""
        await run_in_threadpool(self.uploads.tidy, self.pages.now())
        views = await run_in_threadpool(self._views)
        service = self.pages.held.settings.service
        return self.pages.shown(
            request, "data/page.html.j2", part="data", views=views, slice_bytes=service.request_bytes,
            rate=service.requests_per_minute, formats=known_formats(),
            **await self._store(),
        )  # fmt: skip

    async def held(self, _: Request) -> Response:
        """The sources anew."""
        return self.pages.fragment("data/held.html.j2", **await self._store())

    async def changing(self, _: Request) -> Response:
        """What is being done with the data, so that whoever waits for an answer meanwhile knows why."""
        return self.pages.fragment("data/changing.html.j2", said=await run_in_threadpool(self._changing))

    def _changing(self) -> str:
        said = changing(self.pages.held.directory)
        follows = not said and any(self.follower.follows(job) for job in self.jobs.all())
        return "what was changed is being made ready for questions" if follows else said

    # ------------------------------------------------------------ files that come
    async def begin(self, request: Request) -> Response:
        """Files will come: so many, with so many bytes."""
        told = await _json(request)
        files, announced = (_whole(told.get(key)) for key in ("files", "bytes"))
        await run_in_threadpool(self.uploads.tidy, self.pages.now())
        return JSONResponse({"name": await run_in_threadpool(self.uploads.begin, files, announced)})

    async def slice(self, request: Request) -> Response:
        """A slice of them."""
        body = await request.body()
        here = await run_in_threadpool(self.uploads.take, request.path_params["name"], body)
        return JSONResponse({"bytes": here})

    async def finish(self, request: Request) -> Response:
        """All are here: what they would bring is looked at."""
        now = self.pages.now()
        job = await run_in_threadpool(self.uploads.finish, request.path_params["name"], now)
        task = self._task("import", mapping=job.about.mapping or None)
        await run_in_threadpool(self.processes.begin, job, "look", task)
        return self._shown(self.viewing.view(job))

    async def drop(self, request: Request) -> Response:
        """They are given up."""
        await run_in_threadpool(self.uploads.drop, request.path_params["name"])
        return Response(status_code=204)

    # ------------------------------------------------------------ jobs
    async def job(self, request: Request) -> Response:
        """A job as it is now."""
        view = await run_in_threadpool(self.viewing.view, self._job(request))
        ended = not view.is_live and "live" in request.query_params
        return self._shown(view, changed=ended and view.phase == "done")

    async def import_(self, request: Request) -> Response:
        """What was looked at is imported."""
        job, given = self._job(request), await _form(request)
        look = job.end("look") or {}
        if "report" not in look or not job.files.is_dir():
            raise UsageError("what these files would bring is to be looked at first")
        name = given.get("name", "").strip()[:_LONGEST]
        task = self._task("import", name=name, mapping=job.about.mapping or None, replace="replace" in given)
        await run_in_threadpool(self.processes.begin, job, "run", replace(task, measured=look.get("measured")))
        self.follower.follow(job)
        return self._after(request, job)

    async def stop(self, request: Request) -> Response:
        """A job is stopped: an import changes nothing then; or no more texts are read after one."""
        job = self._job(request)
        for stage in ("look", "run"):
            if self.processes.state(job, stage) is State.RUNS:
                await run_in_threadpool(self.processes.stop, job, stage)
        self.follower.stop(job)
        return self._after(request, job)

    async def leave(self, request: Request) -> Response:
        """A job goes, with all that was sent for it."""
        job = self._job(request)
        if self.viewing.view(job).is_live:
            raise UsageError("that is still under way; stop it first")
        await run_in_threadpool(self.jobs.remove, job.folder)
        return Response(headers={"Content-Type": "text/html"}) if _is_part(request) else _back()

    async def job_left_out(self, request: Request) -> Response:
        """What an import leaves out of a source, and why."""
        job = self._job(request)
        end = job.end("run") or {}
        end = end if "report" in end else job.end("look") or {}
        name, begin = request.query_params.get("source"), _begin(request)
        found = await run_in_threadpool(left_out_of, end, name)
        if not found and begin == 0:
            raise HTTPException(404)
        title = source_in_words(name) if name is not None else job.about.title
        return self._records(request, title, found[begin : begin + SHOWN], begin, len(found), reasons=())

    # ------------------------------------------------------------ sources
    async def left_out(self, request: Request) -> Response:
        """What was left out of a source, and why."""
        name, begin = request.path_params["source"], _begin(request)
        found = await self.pages.read(lambda graph: read_left_out(graph, name, begin))
        if found is None:
            raise HTTPException(404)
        return self._records(request, found.title, found.records, begin, found.number, reasons=found.reasons)

    async def ask_forget(self, request: Request) -> Response:
        """Asks whether a source is to go, and says what goes."""
        held = await self._read_held()
        name, sources = request.path_params["source"], held.sources if held is not None else ()
        source = next((one for one in sources if one.name == name), None)
        if source is None:
            raise HTTPException(404)
        return self._asked(request, "data/forget.html.j2", title=f"Forget {source.title}", source=source)

    async def forget(self, request: Request) -> Response:
        """A source goes."""
        name = request.path_params["source"]
        held = await self._read_held()
        if held is None or name not in {source.name for source in held.sources}:
            raise HTTPException(404)
        job = await run_in_threadpool(self._begin_job, "forget", source_in_words(name), name)
        return self._after(request, job)

    # ------------------------------------------------------------ what was found out, the doctor
    async def derivations(self, request: Request) -> Response:
        """What is kept of what was found out."""
        words, begin = request.query_params.get("words", "").strip()[:_LONGEST], _begin(request)
        found = await self._read(lambda graph: read_derived(graph, words, begin))
        if found is None:
            raise HTTPException(404)
        values: dict[str, Any] = {"derived": found, "words": words}
        if _is_part(request):
            return self.pages.fragment("data/derived_rows.html.j2", **values)
        return self.pages.shown(request, "data/derived.html.j2", part="data", **values)

    async def ask_forget_derived(self, request: Request) -> Response:
        """Asks whether findings are to go."""
        words = request.query_params.get("words", "").strip()[:_LONGEST]
        found = await self._read(lambda graph: read_derived(graph, words, 0))
        if found is None:
            raise HTTPException(404)
        title = "Forget these findings" if words else "Forget all findings"
        return self._asked(request, "data/forget_derived.html.j2", title=title, derived=found, words=words)

    async def forget_derived(self, request: Request) -> Response:
        """Findings go: all, or those with some words."""
        words = (await _form(request)).get("words", "").strip()[:_LONGEST]
        title = f"findings with “{words}”" if words else "all findings"
        return self._after(request, await run_in_threadpool(self._begin_job, "forget-derived", title, words))

    async def verify(self, request: Request) -> Response:
        """The doctor looks the store over."""
        job = await run_in_threadpool(self._begin_job, "doctor", "the store", "")
        return self._after(request, job)

    # ------------------------------------------------------------ what all of them do
    def _job(self, request: Request) -> Job:
        return self.jobs.job(request.path_params["name"])

    def _views(self) -> list[View]:
        return [self.viewing.view(job) for job in self.jobs.all() if job.about.kind != "doctor"]

    def _begin_job(self, kind: Kind, title: str, name: str) -> Job:
        """Begins a job without files; earlier ones of its kind that are over go, and what tells of data that goes."""
        for job in self.jobs.all():
            over = not self.viewing.view(job).is_live
            if over and (job.about.kind == kind or (kind == "forget" and job.about.kind == "import")):
                self.jobs.remove(job.folder)
        about = About(kind, title, self.pages.now().isoformat(timespec="seconds"))
        job = self.jobs.begin(self.jobs.new_folder(), about)
        self.processes.begin(job, "run", self._task(kind, name=name))
        self.follower.follow(job)
        return job

    def _task(self, kind: Kind, *, name: str = "", mapping: str | None = None, replace: bool = False) -> Task:
        held = self.pages.held
        now = self.pages.now().isoformat(timespec="seconds")
        settings = settings_for(held.settings)
        return Task(kind, str(held.directory), settings, now, self.pages.zone, name, mapping, replace)

    async def _store(self) -> dict[str, Any]:
        """What the templates show of the store."""
        held = await self._read_held()
        directory = self.pages.held.directory
        size = await run_in_threadpool(bytes_of, directory) if held is not None else 0
        doctor = await run_in_threadpool(self._doctor)
        looked = ago(doctor.job.about.at, self.pages.now()) if doctor is not None else ""
        return {"held": held, "size": size, "doctor": doctor, "looked": looked}

    def _doctor(self) -> View | None:
        found = next((job for job in self.jobs.all() if job.about.kind == "doctor"), None)
        return self.viewing.view(found) if found is not None else None

    async def _read_held(self) -> Held | None:
        """What the store has; None where there is no store."""
        return await self._read(read_held)

    async def _read(self, does: Callable[[EventGraph], T]) -> T | None:
        try:
            return await self.pages.read(does)
        except StoreError:
            if exists(self.pages.held.directory):
                raise
            return None

    def _shown(self, view: View, *, changed: bool = False) -> Response:
        name = "data/doctor.html.j2" if view.job.about.kind == "doctor" else "data/job.html.j2"
        looked = ago(view.job.about.at, self.pages.now())
        response = self.pages.fragment(name, view=view, doctor=view, looked=looked)
        if changed:
            response.headers.update(_CHANGED)
        return response

    def _after(self, request: Request, job: Job) -> Response:
        """What is shown once a job was told something: the job, or the page where a form was sent without scripts."""
        return self._shown(self.viewing.view(job)) if _is_part(request) else _back()

    def _asked(self, request: Request, template: str, *, title: str, **values: Any) -> Response:
        """A question that is asked before something goes: in a dialog, or as a page of its own."""
        if _is_part(request):
            return self.pages.fragment(template, title=title, **values)
        return self.pages.shown(request, "data/asked.html.j2", part="data", title=title, asks=template, **values)

    def _records(self, request: Request, title: str, found: Any, begin: int, number: int, *, reasons: Any) -> Response:
        further = begin + len(found) if begin + len(found) < number else None
        values = {"title": title, "records": found, "number": number, "reasons": reasons, "next": further}
        values["address"] = _without_begin(request)
        if _is_part(request):
            return self.pages.fragment("data/left_out_rows.html.j2", **values)
        return self.pages.shown(request, "data/left_out.html.j2", part="data", **values)


def routes(pages: Pages) -> list[BaseRoute]:
    """What can be opened of data."""
    data, authoring = DataPages(pages), AuthoringPages(pages)
    data.resume()
    return [
        Route("/data", data.page, methods=["GET"]),
        Route("/data/held", data.held, methods=["GET"]),
        Route("/parts/changing", data.changing, methods=["GET"]),
        Route("/data/uploads", data.begin, methods=["POST"]),
        Route("/data/uploads/{name}", data.slice, methods=["POST"]),
        Route("/data/uploads/{name}", data.drop, methods=["DELETE"]),
        Route("/data/uploads/{name}/finish", data.finish, methods=["POST"]),
        Route("/data/jobs/{name}", data.job, methods=["GET"]),
        Route("/data/jobs/{name}/import", data.import_, methods=["POST"]),
        Route("/data/jobs/{name}/stop", data.stop, methods=["POST"]),
        Route("/data/jobs/{name}/leave", data.leave, methods=["POST"]),
        Route("/data/jobs/{name}/left-out", data.job_left_out, methods=["GET"]),
        Route("/data/sources/{source}/left-out", data.left_out, methods=["GET"]),
        Route("/data/sources/{source}/forget", data.ask_forget, methods=["GET"]),
        Route("/data/sources/{source}/forget", data.forget, methods=["POST"]),
        Route("/data/derivations", data.derivations, methods=["GET"]),
        Route("/data/derivations/forget", data.ask_forget_derived, methods=["GET"]),
        Route("/data/derivations/forget", data.forget_derived, methods=["POST"]),
        Route("/data/doctor", data.verify, methods=["POST"]),
        *authoring.routes(),
    ]


def _is_part(request: Request) -> bool:
    """Whether a part of a page is wanted."""
    return "HX-Request" in request.headers


def _back() -> Response:
    return RedirectResponse("/data", 303)


def _begin(request: Request) -> int:
    said = request.query_params.get("from", "0")
    if not (said.isascii() and said.isdecimal() and len(said) < len(str(_MOST_RECORDS))):
        raise HTTPException(422)
    return int(said)


def _without_begin(request: Request) -> str:
    """The address of a list, to which only where to begin is added."""
    kept = request.url.remove_query_params("from")
    return f"{kept.path}?{kept.query}&" if kept.query else f"{kept.path}?"


async def _form(request: Request) -> dict[str, str]:
    return dict(parse_qsl((await request.body()).decode("utf-8", "replace"), keep_blank_values=True))


async def _json(request: Request) -> dict[str, Any]:
    try:
        told = json.loads(await request.body())
    except (ValueError, RecursionError) as bad:
        raise HTTPException(400) from bad
    if not isinstance(told, dict):
        raise HTTPException(400)
    return told


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**60:
        raise HTTPException(422)
    return value
