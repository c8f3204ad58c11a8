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
a["dt"].date()
a["dt"].time()
a["dt"].date() == a["d"]
a["d"].isoformat()
a["dt"].isoformat()
a["tm"].isoformat()
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
a["dt"] + relativedelta(hours=2)
a["d"] + relativedelta(months=1) * 2
a["d"].strftime("%Y-%m")
a["d"].strftime("%B %d, %Y")
a["d"].strftime("%A %a %b %j %y")
a["d"].strftime("%V %G %u %%")
date(2021, 1, 3).strftime("%V|%G|%j")
a["dt"].strftime("%H:%M:%S %I %p")
a["dt"].strftime("%Y-%m-%d %H:%M")
a["tm"].strftime("%H:%M")
datetime(2024, 1, 1, 0, 5).strftime("%I %p")
datetime(2024, 1, 1, 12, 5).strftime("%I %p")
date.fromisoformat("2024-02-03")
datetime.fromisoformat("2024-02-03T10:11:12")
time.fromisoformat("10:11")
datetime.combine(a["d"], a["tm"])
datetime.combine(a["d"], time(8, 30)) < a["dt"]
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
calendar.monthrange(2024, 2)[1]
calendar.monthrange(a["d"].year, a["d"].month)
max(a["dates"])
min(a["dates"]).year
max(a["dates"]) - min(a["dates"])
[b - a for a, b in zip(a["dates"], a["dates"][1:])]
max((b - a).days for a, b in zip(a["dates"], a["dates"][1:]))
sorted(a["dates"], reverse=True)[0]
"weekend" if a["d"].weekday() >= 5 else "weekday"
"morning" if a["tm"].hour < 12 else "afternoon" if a["tm"].hour < 18 else "evening"
(a["d"].month - 1) // 3 + 1
a["d"].month in (12, 1, 2)
a["d"].month in {6, 7, 8}
a["d"].month in range(1, 4)
a["d"].day <= 7 and a["d"].weekday() == 3
a["d"] - timedelta(days=a["d"].weekday())
(a["d"].replace(day=1) - timedelta(days=1)).replace(day=1)
a["d"].replace(month=a["d"].month % 12 + 1, day=1)
"""

LISTS = """
a["ns"]
a["ns"][0]
a["ns"][-1]
a["ns"][1:]
a["ns"][:2]
a["ns"][-2:]
a["ns"][:-1]
a["ns"] + [9]
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
sorted(a["ns"])
sorted(a["ns"], reverse=True)
sorted(a["ns"], reverse=True)[:2]
sorted(a["words"], key=len)
sorted(a["words"], key=lambda w: (-len(w), w))
sorted(a["words"], key=lambda w: w[-1], reverse=True)
sorted([(1, "b"), (1, "a"), (0, "z")])
max(a["pairs"], key=lambda p: p[1])
min(a["pairs"], key=lambda p: (p[1], p[0]))
sorted(set(a["ns"]))
{1, 2} == {2, 1}
set([1, 1]) == {1}
len(set(w[0] for w in a["words"]))
list(range(5))
list(range(1, 5))
list(range(0, 10, 3))
list(range(5, 0, -2))
list(zip([1, 2], "ab"))
list(zip([1, 2, 3], [4, 5], [6, 7]))
next(x for x in a["ns"] if x > 2)
next((x for x in a["ns"] if x > 200), None) is None
next((x for x in a["ns"] if x > 200), 0)
any(x > 6 for x in a["ns"])
all(x > 6 for x in a["ns"])
any([])
all([])
any("i" in w.lower() for w in a["words"])
any(w.startswith("f") and len(w) == 3 for w in a["words"])
any(w in "a fig tree" for w in a["words"])
a["words"].count("fig")
[] or [1]
[1, [2, 3]][1][0]
[x for x in "a-b-c".split("-")][1]
tuple(x for x in [1, 2])
[] == []
"""
