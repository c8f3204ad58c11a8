"""Expressions over dates and lists that mean what Python says, as in python_cases."""

from __future__ import annotations

DATES = """
a["d"].year
a["d"].month == 2 and a["d"].day == 29
a["dt"].hour
a["dt"].minute + a["dt"].second
a["tm"].hour
a["d"].weekday()
a["d"].isoweekday()
a["d"].weekday() in [5, 6]
a["d"].weekday() >= 5
a["d"].isocalendar()[1]
a["d"].isocalendar().week
a["d"].isocalendar().year
a["d"].isocalendar().weekday
a["d"].isocalendar()[:2]
date(2024, 12, 30).isocalendar()[0]
a["d"].replace(day=1)
a["d"].replace(year=2023, month=1)
a["dt"].replace(hour=0, minute=0, second=0)
a["dt"].replace(hour=0, minute=0, second=0, microsecond=0)
a["dt"].date()
a["dt"].time()
a["dt"].date() == a["d"]
a["d"].isoformat()
a["dt"].isoformat()
a["dt"].isoformat(" ")
a["dt"].isoformat(sep=" ", timespec="minutes")
a["tm"].isoformat()
a["d"].toordinal()
a["d"] + timedelta(days=1)
a["d"] - timedelta(weeks=2)
a["d"] - timedelta(7)
a["dt"] + timedelta(hours=5, minutes=30)
a["dt"] + timedelta(minutes=a["n"])
a["dt"] + timedelta(minutes=a["f"])
a["d"] + timedelta(days=a["n"] * 2)
timedelta(seconds=90).total_seconds()
a["long"].total_seconds() / 60
a["long"].days
a["long"].seconds
a["long"] > timedelta(minutes=30)
a["long"] * 2
a["long"] / 2
a["long"] / timedelta(minutes=1)
a["long"] // timedelta(minutes=7)
a["long"] % timedelta(minutes=7)
a["long"] + a["long"] - timedelta(milliseconds=500)
-a["long"]
abs(-a["long"])
str(timedelta(hours=2))
(a["dt"] - datetime(2024, 1, 1)).days
(a["d"] - date(2024, 1, 1)).days
(date(2024, 3, 1) - a["d"]).total_seconds() / 86400
a["d"] + relativedelta(months=1)
a["d"] + relativedelta(months=a["n"])
a["d"] - relativedelta(years=1)
a["d"] + relativedelta(years=1, months=-2, days=3)
a["d"] + relativedelta(day=1, months=1) - timedelta(days=1)
a["dt"] + relativedelta(hours=2)
a["d"] + relativedelta(months=1) * 2
relativedelta(date(2024, 3, 10), date(2000, 5, 1)).years
relativedelta(date(2024, 3, 10), date(2000, 5, 1)).months
a["d"].strftime("%Y-%m")
a["d"].strftime("%B %d, %Y")
a["d"].strftime("%A %a %b %j %y")
a["d"].strftime("%U %W %V %G %u %w %%")
a["dt"].strftime("%H:%M:%S %I %p")
a["dt"].strftime("%Y-%m-%d %H:%M")
a["tm"].strftime("%H:%M")
date(2024, 1, 1).strftime("%U|%W|%V|%j")
date(2023, 1, 1).strftime("%U|%W|%V|%G|%j")
date(2021, 1, 3).strftime("%U|%W|%V|%G")
date(2020, 12, 31).strftime("%U|%W|%V|%G|%j")
datetime(2024, 1, 1, 0, 5).strftime("%I %p")
datetime(2024, 1, 1, 12, 5).strftime("%I %p")
datetime.strptime("2024-02-03", "%Y-%m-%d")
datetime.strptime("03/02/2024 14:05", "%d/%m/%Y %H:%M")
datetime.strptime("March 5, 2023", "%B %d, %Y").date()
datetime.strptime("5 Mar 23", "%d %b %y").month
datetime.strptime("11:30 PM", "%I:%M %p").time()
datetime.strptime("12:30 AM", "%I:%M %p").hour
datetime.strptime("Sunday, 10 March 2024", "%A, %d %B %Y").day
datetime.strptime("2024-02-03T01:02:03", "%Y-%m-%dT%H:%M:%S")
datetime.strptime("12:00:01.25", "%H:%M:%S.%f").second
date.fromisoformat("2024-02-03")
datetime.fromisoformat("2024-02-03T10:11:12")
time.fromisoformat("10:11")
datetime.combine(a["d"], a["tm"])
datetime.combine(a["d"], time(8, 30)) < a["dt"]
datetime.combine(a["d"], time.min)
date(2024, 1, 1) < a["d"] <= date(2024, 12, 31)
time(22, 0) <= a["tm"]
a["tm"] >= time(23, 0)
a["tm"] >= time(hour=23)
a["tm"].replace(minute=0)
time(6) <= a["tm"] < time(12) or a["tm"] > time(23)
date(year=2024, month=2, day=a["n"])
datetime(2024, 2, 3)
datetime(2024, 2, 3, 4, 5, 6)
(a["d"].month, a["d"].year)
(a["d"].year, a["d"].month) >= (2024, 1)
(a["d"].month, a["d"].day) == (2, 29)
calendar.month_name[a["d"].month]
calendar.month_abbr[a["d"].month]
calendar.day_name[a["d"].weekday()]
calendar.day_abbr[0]
list(calendar.day_name)
calendar.monthrange(2024, 2)[1]
calendar.monthrange(a["d"].year, a["d"].month)
calendar.isleap(a["d"].year)
calendar.SATURDAY
a["d"].weekday() == calendar.THURSDAY
max(a["dates"])
min(a["dates"]).year
max(a["dates"]) - min(a["dates"])
[b - a for a, b in zip(a["dates"], a["dates"][1:])]
max((b - a).days for a, b in zip(a["dates"], a["dates"][1:]))
sorted(a["dates"], reverse=True)[0]
date.min < a["d"] < date.max
datetime.min.year
["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][a["d"].weekday()]
{0: "Mon", 3: "Thu"}.get(a["d"].weekday(), "?")
{1: "winter", 2: "winter", 3: "spring"}[a["d"].month]
"weekend" if a["d"].weekday() >= 5 else "weekday"
"morning" if a["tm"].hour < 12 else "afternoon" if a["tm"].hour < 18 else "evening"
(a["d"].month - 1) // 3 + 1
f"Q{(a['d'].month - 1) // 3 + 1} {a['d'].year}"
a["d"].month in (12, 1, 2)
a["d"].month in {6, 7, 8}
a["d"].month in range(1, 4)
a["d"].day <= 7 and a["d"].weekday() == 3
a["d"] - timedelta(days=a["d"].weekday())
(a["d"].replace(day=1) - timedelta(days=1)).replace(day=1)
a["d"].replace(month=a["d"].month % 12 + 1, day=1)
date.fromordinal(738945)
"""

LISTS = """
a["ns"]
a["ns"][0]
a["ns"][-1]
a["ns"][1:]
a["ns"][:2]
a["ns"][::-1]
a["ns"][::2]
a["ns"][1::2]
a["ns"][-2:]
a["ns"][:-1]
a["ns"][len(a["ns"]) // 2]
a["ns"][: len(a["ns"]) // 2]
a["ns"][a["n"] - 5 :]
a["ns"] + [9]
a["ns"] * 2
[0] * 3
[1, 2] == [1, 2]
(1, 2) < (1, 3)
(1, "b") < (1, "c")
[1, 2] != [2, 1]
3 in a["ns"]
99 not in a["ns"]
"fig" in a["words"]
[x * 2 for x in a["ns"]]
[x for x in a["ns"] if x > 2 if x < 9]
[x + y for x in [1, 2] for y in [10, 20]]
[(x, y) for x in range(3) for y in range(x)]
[y for x in [[1, 2], [3]] for y in x]
[[y * 2 for y in x] for x in [[1, 2], [3]]]
[k for k, v in [("a", 1), ("b", 2)] if v > 1]
[x + y * z for x, (y, z) in [(1, (2, 3))]]
{x % 2 for x in a["ns"]}
{x % 2: x for x in [1, 2, 3]}
{w: len(w) for w in a["words"]}
{k: v for k, v in zip(["x", "y"], [1, 2])}
{k: v * 2 for k, v in {"x": 1}.items() if v}
{"a": 1, "b": 2}
{"a": 1}["a"]
{"a": 1}.get("b", 0)
{"a": 1}.get("a", 0)
{"a": {"b": 3}}["a"]["b"]
list({"a": 1, "b": 2}.keys())
list({"a": 1, "b": 2}.values())
list({"a": 1, "b": 2}.items())
"a" in {"a": 1}
len({"a": 1})
dict([("x", 1)])
dict(x=1, y=2)
dict(zip("ab", [1, 2]))
sorted(a["ns"])
sorted(a["ns"], reverse=True)
sorted(a["ns"], reverse=True)[:2]
sorted(a["words"], key=len)
sorted(a["words"], key=str.lower)
sorted(a["words"], key=lambda w: (-len(w), w))
sorted(a["words"], key=lambda w: w[-1], reverse=True)
sorted({"a": 2, "b": 3}.items(), key=lambda kv: kv[1], reverse=True)[0][0]
sorted([(1, "b"), (1, "a"), (0, "z")])
sorted([{"k": 2}, {"k": 1}], key=lambda x: x["k"])[0]["k"]
sorted([{"k": 2}, {"k": 1}], key=itemgetter("k"))[0]["k"]
sorted(a["pairs"], key=itemgetter(1))
max({"a": 2, "b": 3}.items(), key=lambda kv: kv[1])[0]
max(a["pairs"], key=lambda p: p[1])
min(a["pairs"], key=lambda p: (p[1], p[0]))
sorted(set(a["ns"]))
sorted(set(a["words"]) & {"fig", "x"})
sorted({1, 2} | {3})
sorted({1, 2} - {2})
sorted({1, 2} ^ {2, 3})
sorted({1, 2}.union([3]))
sorted({1, 2}.union([3], [4]))
sorted({1, 2}.intersection([2]))
sorted({1, 2}.difference([2]))
sorted({1, 2}.symmetric_difference([2, 3]))
{1}.issubset({1, 2})
{1, 2}.issuperset({1})
{1}.isdisjoint({2})
{1} <= {1, 2}
{1, 2} < {1, 2}
{1, 3} <= {1, 2}
{1, 2} == {2, 1}
set([1, 1]) == {1}
len(set(w[0] for w in a["words"]))
frozenset([1, 1]) == {1}
list(range(5))
list(range(1, 5))
list(range(0, 10, 3))
list(range(5, 0, -2))
list(enumerate(["a", "b"]))
list(enumerate(["a", "b"], 1))
list(enumerate(["a", "b"], start=1))
list(zip([1, 2], "ab"))
list(zip([1, 2, 3], [4, 5], [6, 7]))
list(reversed([1, 2, 3]))
list(map(str, [1, 2]))
list(map(len, a["words"]))
list(map(lambda w: w.upper(), a["words"]))
list(map(str.upper, a["words"]))
list(filter(lambda x: x > 2, a["ns"]))
list(filter(None, [0, 1, "", "x"]))
list(filter(str.isalpha, ["a", "1"]))
next(x for x in a["ns"] if x > 2)
next((x for x in a["ns"] if x > 200), None) is None
next((x for x in a["ns"] if x > 200), 0)
next(iter([4, 5]))
any(x > 6 for x in a["ns"])
all(x > 6 for x in a["ns"])
any([])
all([])
any("i" in w.lower() for w in a["words"])
all(isinstance(w, str) for w in a["words"])
any(w.startswith("f") and len(w) == 3 for w in a["words"])
any(w in "a fig tree" for w in a["words"])
a["words"].count("fig")
a["words"].index("fig")
Counter("abracadabra").most_common(1)
Counter("abracadabra").most_common(2)[1][1]
Counter("abracadabra")["b"]
Counter("abracadabra")["q"]
Counter(w[0] for w in a["words"]).most_common(n=1)[0]
max(Counter("abb").values())
[k for k, c in Counter("aabb").items() if c == 2]
sum(Counter("abc").values())
sorted(Counter("aabc").items(), key=lambda x: (-x[1], x[0]))
isinstance(a["t"], str)
isinstance(a["ns"], list)
isinstance(a["n"], (int, float))
isinstance(a["n"], int)
isinstance(a["f"], float)
isinstance(a["t"], int)
isinstance(a["d"], date)
isinstance(a["dt"], datetime)
isinstance(True, int)
isinstance(1, bool)
isinstance({}, dict)
[] or [1]
[1, [2, 3]][1][0]
[x for x in "a-b-c".split("-")][1]
sum([[1], [2, 3]], [])
list(itertools.chain([1], [2, 3]))
list(itertools.chain.from_iterable([[1], [2, 3]]))
tuple(x for x in [1, 2])
[] == []
list()
tuple() == ()
str() + "x"
dict() == {}
len(set())
int() + float()
"""
