"""Expressions that mean what Python says: the tests compute the expected value with Python itself.

`a` is one row: see `ROW` in test_evaluate_like_python.
"""

from __future__ import annotations

NUMBERS = """
a["n"] + 1
a["n"] - 10
a["n"] * a["f"]
a["n"] / 2
a["n"] // 2
-a["n"] // 2
a["n"] % 2
-a["n"] % 5
a["f"] // 1
a["f"] % 1
a["n"] ** 2
a["n"] ** 0
2 ** a["n"]
-a["n"] ** 2
2 ** 3 ** 2
2 ** -1
(1 + 2) * 3 - 4 / 8
-(-a["n"])
+a["n"]
abs(-a["f"])
abs(a["n"] - 12)
min(a["n"], a["f"])
max(a["n"], 12, a["f"])
min([3, 1, 2])
max([])  if [] else 0
max([], default=0)
min((x for x in [] if x), default=-1)
max(a["ns"], default=0)
max(a["ns"], key=lambda x: -x)
min(a["words"], key=len)
max("kiwi", "fig", key=len)
sum(a["ns"])
sum(x * x for x in a["ns"])
sum(a["ns"], 100)
sum([], 5)
sum(1 for x in a["ns"] if x > 2)
sum(x > 2 for x in a["ns"])
len(a["ns"])
len(a["t"])
len({1, 2, 2})
round(a["f"])
round(3.14159, 2)
round(3.14159, ndigits=3)
round(1234, -2)
int(a["f"])
int("42")
int(-3.9)
float("2.5")
float(3)
bool(a["n"])
bool("")
bool([])
math.floor(-2.5)
math.ceil(2.1)
math.trunc(-2.7)
math.sqrt(16)
math.sqrt(2)
math.pi
pow(2, 10)
divmod(17, 5)
divmod(-17, 5)[0]
statistics.mean(a["ns"])
statistics.median(a["ns"])
statistics.median([1, 2, 3, 4])
statistics.mode(["x", "y", "y"])
statistics.stdev([1, 2, 3, 4])
statistics.pstdev([1, 2, 3, 4])
statistics.variance([1, 2, 3, 4])
sum(a["ns"]) / len(a["ns"])
100 * a["n"] / 21
1 if a["n"] > 3 else 0
(a["n"] if a["n"] > 100 else a["f"]) + 1
True + True
1_000 + 0x10
"""

TEXTS = """
a["t"].lower()
a["t"].upper()
a["t"].title()
a["t"].capitalize()
a["t"].casefold()
a["t"].swapcase()
"  x ".strip()
"--x--".strip("-")
"  x ".lstrip()
"xxabc".lstrip("x")
"  x ".rstrip()
"abc.py".rstrip("py.")
a["t"].startswith("Caf")
a["t"].startswith(("x", "Caf"))
a["t"].endswith("mer")
a["t"].endswith(("mer", "zzz"))
a["t"].split()
a["t"].split(" ")
"a,b,,c".split(",")
"a,b,c".split(",", 1)
"a,b,c".split(sep=",", maxsplit=1)
"a b c".split(maxsplit=1)
"a,b,c".rsplit(",", 1)
"a\\nb".splitlines()
"k=v=w".partition("=")
"k=v=w".rpartition("=")
", ".join(a["words"])
"".join(reversed("abc"))
"-".join(w.upper() for w in a["words"])
"-".join("abc")
a["t"].replace("a", "o")
"aaa".replace("a", "b", 2)
"abc".find("c")
"abc".find("z")
"abcabc".rfind("c")
"abcabc".find("a", 1)
"abcabc".index("b")
"abcabc".count("b")
"123".isdigit()
"12a".isdigit()
"abc".isalpha()
"ab1".isalnum()
"12".isnumeric()
"12".isdecimal()
" ".isspace()
"ABC".isupper()
"abc".islower()
"Abc Def".istitle()
"7".zfill(3)
"-7".zfill(4)
"x".center(5, "*")
"x".ljust(3)
"x".rjust(3)
"Mr Bean".removeprefix("Mr ")
"a.mp3".removesuffix(".mp3")
a["t"][0]
a["t"][-1]
a["t"][1:3]
a["t"][:4]
a["t"][-3:]
a["t"][::-1]
a["t"][::2]
a["t"][:len(a["t"]) // 2]
a["t"][a["n"]]
a["t"] + "!"
"ab" * 3
2 * "ab"
"af" in a["t"]
"zz" not in a["t"]
a["t"] == "x"
a["t"] != "x"
a["t"] < "D"
str(a["n"])
str(a["t"])
str(a["n"]) + "x"
r"\\d" + 'a"b'
'it\\'s'
"con" "cat"
f"{a['t']}"
f"{a['t']} - {a['n']}"
f"{a['n']:03d}"
f"{a['n']:>5}|{a['n']:<5}|{a['n']:^5}|"
f"{a['f']:.2f}"
f"{a['f']:8.1f}"
f"{a['f']:.0f}"
f"{1234567:,}"
f"{1234567.891:,.2f}"
f"{0.256:.1%}"
f"{0.25:%}"
f"{a['n']:+d}"
f"{255:x} {255:b} {8:o} {255:X}"
f"{12345.678:.3e}"
f"{a['t']:*^20}"
f"{a['t']:.3}"
f"{a['d']:%d.%m.%Y}"
f"{a['dt']:%H:%M}"
f"{a['d'].year}-{a['d'].month:02d}"
f"{a['t']!s}"
f"{{literal}} {a['n']}"
f""
f"{a['d']}"
f"{a['tm']}"
f"{'even' if a['n'] % 2 == 0 else 'odd'}"
format(a["f"], ".1f")
format(a["n"])
" ".join(sorted(a["t"].lower().split()))
"".join(c for c in a["t"] if c.isalpha())
[c for c in "abc"]
list("abc")
sorted("cab")
"abc".upper().lower().title()
re.search("o+", "foo bar") is not None
bool(re.search("^x", "foo"))
not re.search("x", "foo")
re.search("(\\\\w+) (\\\\w+)", "foo bar").group(2)
re.search("f(o+)", "foo").group()
re.match("o", "foo") is None
re.fullmatch("f.*", "foo") is not None
re.findall("[aeiou]", "education")
re.sub("[0-9]+", "#", "a1b22")
re.search("FOO", "foo", re.IGNORECASE) is not None
re.search("FOO", "foo", flags=re.I) is not None
"""

LOGIC = """
a["n"] or 0
0 or a["t"]
"" or "x" or "y"
0 or "" or []
a["n"] and a["t"]
0 and a["t"]
"" and 1
a["n"] > 3 and a["t"] == "x"
a["n"] > 3 or a["t"] == "x"
not a["n"]
not ""
not (a["n"] > 3)
1 < a["n"] < 10
1 < a["n"] < 5
1 < 2 < 3 < 4
a["n"] == 7 == a["n"]
3 <= a["n"] != 8
a["t"] is not None
a["t"] is None
a["t"] == None
a["t"] != None
a["yes"] is True
a["yes"] is not False
a["yes"] == True
a["yes"] and not a["no"]
a["no"] or a["n"] == 7
True and a["n"]
a["n"] if a["n"] else 0
"x" if not a["n"] else "y"
(a["t"] or "").lower()
len(a["ns"] or [])
"t" in a
a.get("n")
a.get("n", 5)
a.get("t", "").lower()
a["n"] in [1, 7, "x"]
a["t"] in ("x", "Café Sommer")
"abc" == "abc" and 1 != 2
a["n"] == 7.0
a["f"] == 2.75
"""
