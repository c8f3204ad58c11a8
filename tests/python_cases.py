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
sum(1 for x in a["ns"] if x > 2)
sum(x > 2 for x in a["ns"])
len(a["ns"])
len(a["t"])
len({1, 2, 2})
round(a["f"])
round(3.14159, 2)
round(1234, -2)
int(a["f"])
int("42")
int(-3.9)
float("2.5")
float(3)
bool(a["n"])
bool("")
bool([])
statistics.mean(a["ns"])
statistics.median(a["ns"])
statistics.median([1, 2, 3, 4])
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
"  x ".strip()
"--x--".strip("-")
a["t"].startswith("Caf")
a["t"].startswith(("x", "Caf"))
a["t"].endswith("mer")
a["t"].endswith(("mer", "zzz"))
a["t"].split()
a["t"].split(" ")
"a,b,,c".split(",")
", ".join(a["words"])
"-".join(w.upper() for w in a["words"])
"-".join("abc")
a["t"].replace("a", "o")
"abcabc".count("b")
a["t"][0]
a["t"][-1]
a["t"][1:3]
a["t"][:4]
a["t"][-3:]
a["t"] + "!"
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
" ".join(sorted(a["t"].lower().split()))
[c for c in "abc"]
list("abc")
sorted("cab")
"abc".upper().lower().title()
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
