"""The pooled Stack Exchange sites as tasks of retrieval: a question's answers, with what the tables say around it.

A folder holds tables/, metadata/ and split_by_time/ (gzipped JSON lines; ids of rows by column in metadata).
"""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, Final

from ...training.related.task import Case, Document, Task

STRICT: Final = {
    "tags": "tag",
    "user_questions": "earlier question of the asker",
    "user_answers": "earlier answer of the asker",
    "user_comments": "earlier comment of the asker",
    "user_accepted": "answer that the asker accepted",
    "user_prev_tags": "earlier tag of the asker",
    "user_badges": "badge of the asker",
    "user_favorites": "favorite of the asker",
}
"""Columns dated before the question, by what they are called."""
POSTHOC: Final = {
    "aboutme": "what the asker says about himself or herself",
    "comments_q": "comment on the question",
    "comments_a": "comment on an answer to the question",
}
"""Columns of the paper that break the rule of time, or carry no date."""
_CHECK: Final = 0.1


@dataclass(frozen=True)
class Site:
    """The tables and columns of a folder."""

    folder: Path

    @cached_property
    def posts(self) -> Mapping[str, Mapping[str, Any]]:
        """Posts by id."""
        return {row["id"]: row for row in self._rows("tables/posts.jsonl.gz")}

    @cached_property
    def documents(self) -> tuple[Document, ...]:
        """Every answer."""
        ids = self._rows("corpus_ids.txt.gz")
        return tuple(Document(one, self.posts[one]["body"], one.split(":")[0]) for one in map(str, ids))

    def task(self, split: str, answers: str, *, posthoc: bool) -> Task:
        """`split` is time or user, `answers` any_answer or best_answer; parts are train, check and test (the valid part
        of the split by time, or a tenth of the persons)."""
        rows = {part: list(self._plain(f"split_by_time/{answers}/{part}.jsonl")) for part in ("train", "valid")}
        parted = self._by_time(rows) if split == "time" else self._by_user([*rows["train"], *rows["valid"]])
        cases = [self._case(row, part, posthoc=posthoc) for part, row in parted]
        return Task(self.documents, tuple(cases))

    def _by_time(self, rows: Mapping[str, Sequence[Any]]) -> Iterator[tuple[str, Any]]:
        """The last tenth of each site's training questions is there to choose by."""
        sites = defaultdict(list)
        for row in rows["train"]:
            sites[row["query_id"].split(":")[0]].append(row)
        for own in sites.values():
            own.sort(key=lambda row: self.posts[row["query_id"]]["created"])
            cut = round(len(own) * (1 - _CHECK))
            yield from (("train" if place < cut else "check", row) for place, row in enumerate(own))
        yield from (("test", row) for row in rows["valid"])

    def _by_user(self, rows: Sequence[Any]) -> Iterator[tuple[str, Any]]:
        """Eight to one to one by person, who may have accounts on several sites."""
        people = sorted({self._person(row["query_id"]) for row in rows})
        Random(7).shuffle(people)
        tenth = len(people) // 10
        part = dict.fromkeys(people, "train")
        part |= dict.fromkeys(people[:tenth], "test") | dict.fromkeys(people[tenth : 2 * tenth], "check")
        yield from ((part[self._person(row["query_id"])], row) for row in rows)

    def _person(self, question: str) -> str:
        post = self.posts[question]
        owner = post.get("owner") or question
        return str(self._accounts.get(owner, owner))

    def _case(self, row: Mapping[str, Any], part: str, *, posthoc: bool) -> Case:
        number = row["query_id"]
        post = self.posts[number]
        columns = self._strict.get(number, {})
        names = dict(STRICT)
        if posthoc:
            columns, names = columns | self._posthoc.get(number, {}), STRICT | POSTHOC
        found = {name: tuple(filter(None, map(self._told, columns.get(key, ())))) for key, name in names.items()}
        around = {name: values for name, values in found.items() if values}
        text = f"{post['title']} {post['body']}"
        return Case(number, text, number.split(":")[0], around, tuple(row["relevant_ids"]), part)

    def _told(self, row: str) -> str:
        return self._texts.get(row, "")

    @cached_property
    def _accounts(self) -> dict[str, Any]:
        return {row["id"]: row["account"] for row in self._rows("tables/users.jsonl.gz") if row.get("account")}

    @cached_property
    def _texts(self) -> dict[str, str]:
        """What a row of any table says, by the id that columns name it by."""
        found = {f"{row['site']}:{row['tag']}": row["tag"] for row in self._rows("tables/tags.jsonl.gz")}
        found |= {one: f"{post.get('title') or ''} {post['body']}".strip() for one, post in self.posts.items()}
        told = {"comment": ("comments", "comments_extra"), "user": ("users",)}
        found |= {f"comment {r['id']}": r["text"] for t in told["comment"] for r in self._rows(f"tables/{t}.jsonl.gz")}
        found |= {f"badge {row['name']}": row["name"] for row in self._rows("tables/badges.jsonl.gz")}
        return found | {f"user {r['id']}": r.get("about") or "" for r in self._rows("tables/users.jsonl.gz")}

    @cached_property
    def _strict(self) -> dict[str, dict[str, list[str]]]:
        return self._columns("metadata/strict.jsonl.gz")

    @cached_property
    def _posthoc(self) -> dict[str, dict[str, list[str]]]:
        return self._columns("metadata/flagged_posthoc_train_valid.jsonl.gz")

    def _columns(self, path: str) -> dict[str, dict[str, list[str]]]:
        """Ids of one table may be those of another: what a column names is told apart."""
        kinds = dict.fromkeys(("user_comments", "comments_q", "comments_a"), "comment ")
        kinds |= {"aboutme": "user ", "user_badges": "badge "}
        return {
            row["query_id"]: {
                name: [kinds.get(name, "") + str(one) for one in values] for name, values in row["columns"].items()
            }
            for row in self._rows(path)
        }

    def _rows(self, path: str) -> Iterator[Any]:
        with gzip.open(self.folder / path, "rt", encoding="utf-8") as lines:
            yield from map(json.loads, lines)

    def _plain(self, path: str) -> Iterator[Any]:
        with (self.folder / path).open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)
