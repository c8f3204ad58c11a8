"""Notes and chats as attackers make them, added to the attacks of hostile_texts."""

from __future__ import annotations

from .hostile_texts import MIB, attack

# ---------------------------------------------------------------- notes


@attack("laughs.md")
def yaml_laughs() -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    return "---\n" + "\n".join(lines) + "\n---\n# A\n"


@attack("merge.md")
def yaml_merges() -> str:
    lines = ["a0: &a0 {x: 1}"]
    lines += [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}" for n in range(1, 12)]
    return "---\n" + "\n".join(lines) + "\n---\n# A\n"


@attack("tags.md")
def yaml_tags() -> str:
    return (
        "---\nx: !!python/object/apply:os.system ['touch /tmp/owned']\ny: !!binary aaaa\ndate: 2024-01-01\n---\n# A\n"
    )


@attack("deep.md")
def yaml_depth() -> str:
    return "---\nx: " + "[" * 20_000 + "\n---\n# A\n"


@attack("loop.md")
def yaml_loop() -> str:
    return "---\nx: &a [*a]\ny: &b {z: *b}\n? [1, 2]\n: 3\n---\n# A\n"


@attack("keys.md")
def yaml_keys() -> str:
    return "---\n" + "".join(f"k{n}: {n}\n" for n in range(5000)) + "---\n# A\n"


@attack("numbers.md")
def yaml_numbers() -> str:
    return "---\nx: 0x" + "f" * 60_000 + "\ny: 1" + ":59" * 10_000 + "\n---\n# A\n"


@attack("dots.md")
def toml_depth() -> str:
    return "+++\n" + "a." * 20_000 + "b = 1\nc = " + "[" * 10_000 + "\n+++\n# A\n"


@attack("tags.md")
def many_tags() -> str:
    return "# A\n" + "#tag " * 200_000 + "`" * 200_000 + "[x](" * 100_000


@attack("headings.md")
def many_sections() -> str:
    return "".join(f"## 20{n % 90 + 10}-01-0{n % 9 + 1}\nx\n" for n in range(30_000))


@attack("hashes.md")
def heading_of_hashes() -> str:
    return "# a" + " #" * 500_000 + "b\n" + "# b" + " " * 500_000 + "c\n"


@attack("underlines.md")
def underlines() -> str:
    return "# A\n" + "a\n" + "-" * 2_000_000 + "x\n" + " - " * 300_000


@attack("date.md")
def dates_in_headings() -> str:
    return "# " + "2024-" * 100_000 + "\n" + "## " + "1 " * 100_000 + "January\n" + "date: " + "." * 100_000 + "x\n"


@attack("blank.md")
def note_of_blanks() -> str:
    return "# A\n" + " " * (8 * MIB) + "x\n" + "\n" * (8 * MIB)


# ---------------------------------------------------------------- chats as text

_LINE = "[25/12/2023, 21:05:10] Ann: "


@attack("_chat.txt")
def chat_blanks() -> str:
    return _LINE + "a\n" + _LINE + " " * MIB + "x\n" + _LINE + "\u200e" * MIB + "x\n"


@attack("_chat.txt")
def chat_quotes() -> str:
    return _LINE + "a\n" + "[25/12/2023, 21:05:10] " + "„" * MIB + "\n" + "[25/12/2023, 21:05:10] \u200e" + "“a" * MIB


@attack("_chat.txt")
def chat_files() -> str:
    return _LINE + "a\n" + _LINE + "\u200e<attached:" * 100_000 + "\n" + _LINE + "<" + "a " * 300_000 + "\n"


@attack("_chat.txt")
def chat_omitted() -> str:
    return (_LINE + "<" + "a" * 2000 + "\n") * 200


@attack("_chat.txt")
def chat_beginnings() -> str:
    return _LINE + "a\n" + "\u200e" * MIB + "\n" + "[" * MIB + "\n" + "1/" * MIB + "\n" + "1" * MIB + "\n"


@attack("_chat.txt")
def chat_senders() -> str:
    return "".join(f"[25/12/2023, 21:05:10] A{n}: b\n" for n in range(20_000))


@attack("_chat.txt")
def chat_encrypted_words() -> str:
    return _LINE + "a\n" + _LINE + "\u200e" + "crittograf" * 100_000 + "\n" + _LINE + "\u200e" + "created " * 100_000
