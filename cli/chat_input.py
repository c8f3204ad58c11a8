"""What is typed in a chat at a terminal: with history, suggestions from it, and completion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from .printing.console import terminal_out
from .printing.safe_text import one_line

Source = Iterable[str]
_MOST_OFFERED = 20
_MOST_WORDS = 4


def completions(text: str, commands: Sequence[str], names: Callable[[], Sequence[str]]) -> Iterator[tuple[str, int]]:
    """What may stand for the end of what is typed, and how many of its characters it replaces: commands after "/",
    names that begin like the last word, or the last few."""
    if text.startswith("/"):
        if " " not in text:
            yield from ((name, len(text)) for name in commands if name.startswith(text))
        return
    words = text.split(" ")
    given: set[str] = set()
    for count in range(min(_MOST_WORDS, len(words)), 0, -1):
        typed = " ".join(words[-count:])
        if len(typed.strip()) < 2 or not words[-count]:
            continue
        for name in names():
            if one_line(name) != name:
                continue  # the line that is edited goes to the terminal as it is
            if name.lower().startswith(typed.lower()) and name not in given and name != typed:
                given.add(name)
                yield name, len(typed)
                if len(given) >= _MOST_OFFERED:
                    return


def prompted(history: Path | None, commands: Sequence[str], names: Callable[[], Sequence[str]]) -> Iterator[str]:
    """Lines as they are typed, until end of file (Ctrl-D); Ctrl-C gives up a line. The file `history` is kept across
    chats; without one, what was typed is remembered until the end."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion, ThreadedCompleter
    from prompt_toolkit.document import Document
    from prompt_toolkit.history import FileHistory, InMemoryHistory
    from prompt_toolkit.output import create_output

    class Names(Completer):
        """Completion for prompt_toolkit."""

        def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
            del complete_event
            for name, length in completions(document.text_before_cursor, commands, names):
                yield Completion(name, start_position=-length, display=one_line(name))

    terminal = terminal_out()
    session: PromptSession[str] = PromptSession(
        history=InMemoryHistory() if history is None else FileHistory(str(history)),
        auto_suggest=AutoSuggestFromHistory(),
        completer=ThreadedCompleter(Names()),
        output=create_output(stdout=terminal) if terminal is not None else None,
    )
    while True:
        try:
            yield session.prompt("> ")
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
