"""Texts that tell, or only seem to tell, of purchases."""

from __future__ import annotations

from typing import Final

from .case import Case

BUYING: Final[list[Case]] = [
    (
        "mail",
        "Bean & Leaf",
        "2023-02-02T08:00",
        "Order confirmation",
        "Hello Ada,\nthank you for your order no. 20931.\n\n2 x House espresso 1 kg  £18.50\nTotal: "
        "£37.00\n\nBean & Leaf",
        [("2023-02-02", "37")],
    ),
    (
        "mail",
        "Paperback Republic",
        "2023-02-02T08:00",
        "Your receipt",
        "Receipt 8812\nDate: 1 February 2023\nItem: The Summer Book\nAmount charged: £9.99\nKeep this for "
        "your records.",
        [("2023-02-01", "9.99")],
    ),
    (
        "mail",
        "Velo Werks",
        "2023-07-14T18:22",
        "We've received your payment",
        "Hi Ada! Your payment of £64.00 has been received. Order 5513: 1 x Gravel tyre 40 mm. We'll write "
        "when it ships.",
        [("2023-07-14", "64")],
    ),
    (
        "mail",
        "Garden Shed Direct",
        "2023-05-01T12:00",
        "Thanks for shopping with us",
        "Order #77120\n1 x Watering can 9 l - £24.00\n3 x Tomato seedlings - £9.00\nOrder total £33.00",
        [("2023-05-01", "24"), ("2023-05-01", "9")],
    ),
    (
        "post",
        "me",
        "2023-09-10T13:00",
        "",
        "Weak moment: bought a cast-iron waffle maker online last night, £49.90. I own no waffles.",
        [("2023-09-09", "49.90")],
    ),
    (
        "mail",
        "me",
        "2023-09-10T13:00",
        "dad's present",
        "Tomas, it's done: on Friday I ordered the binoculars for Dad from Velo Werks, £120 all in. Not a word!",
        [("2023-09-08", "120")],
    ),
    (
        "mail",
        "me",
        "2023-09-10T13:00",
        "",
        "lena i did it i bought the tent!! 210 pounds, ordered it yesterday in the bath, no regrets",
        [("2023-09-09", "210")],
    ),
    (
        "note",
        "me",
        "2023-10-31T19:00",
        "spent in October",
        "2 Oct - Bean & Leaf - House espresso 1 kg - £18.50\n14 Oct - Paperback Republic - Gilead - "
        "£8.99\n30 Oct - Velo Werks - Chain oil - £7.25",
        [("2023-10-02", "18.50"), ("2023-10-14", "8.99"), ("2023-10-30", "7.25")],
    ),
    (
        "note",
        "me",
        "2023-12-06T19:00",
        "money out",
        "Fri 1/12: £42.00 for a rain jacket (Velo Werks)\nMon 4/12: £12.50, two candles\nToday 6/12: "
        "£18.50 House espresso 1 kg, Bean & Leaf",
        [("2023-12-01", "42.00"), ("2023-12-04", "12.50"), ("2023-12-06", "18.50")],
    ),
    (
        "post",
        "me",
        "2024-01-03T09:00",
        "",
        "New year, new kettle. Ordered on New Year's Day, 35 quid from Bean & Leaf, before coffee, so I "
        "take no responsibility.",
        [("2024-01-01", "35")],
    ),
    (
        "mail",
        "me",
        "2024-02-20T16:40",
        "Confession",
        "Dear Lena,\n\nIt is my duty to report that on Sunday I purchased a second-hand accordion on the "
        "internet for £180.00. I do not play the accordion.\n\nAda",
        [("2024-02-18", "180.00")],
    ),
    (
        "mail",
        "Velo Werks",
        "2024-03-01T07:00",
        "Spring sale: up to 40% off",
        "Gravel tyre 40 mm now £39.00 instead of £64.00. Shop now! Unsubscribe here.",
        [],
    ),
    (
        "mail",
        "Hotel Zur Post",
        "2024-03-01T07:00",
        "Your booking",
        "Thank you for your booking. One night, 12 April 2024, total £88.00. Free cancellation until 10 April.",
        [],
    ),
    ("mail", "Bean & Leaf", "2024-03-01T07:00", "Refund", "Your refund of £18.50 for order 20931 has been issued.", []),
    (
        "note",
        "me",
        "2024-03-01T07:00",
        "Ideas for Mum",
        "scarf, £40?\nteapot, £28 (ask Tomas)\nor just flowers £20",
        [],
    ),
    (
        "note",
        "me",
        "2024-03-01T07:00",
        "bike comparison",
        "Canyon £1,450 heavy\nSpecialized £1,890 pretty\nkeep the old one: £0",
        [],
    ),
    (
        "mail",
        "me",
        "2024-03-01T07:00",
        "",
        "I nearly ordered that £900 coffee machine yesterday. Lena took my phone away.",
        [],
    ),
    (
        "mail",
        "me",
        "2024-03-01T07:00",
        "",
        "If the bonus comes I'm going to buy the cello, £1,200, and you can't stop me.",
        [],
    ),
    ("post", "me", "2024-03-01T07:00", "", "Tomas bought a £300 hat yesterday. A hat. £300.", []),
    (
        "mail",
        "Lena Okafor",
        "2024-03-01T07:00",
        "hi",
        "I ordered the boots yesterday, £95, they pinch. Yours, Lena",
        [],
    ),
    (
        "post",
        "me",
        "2024-03-01T07:00",
        "",
        "We ordered the lamb and a bottle of red last night, £64 the bill, worth it.",
        [],
    ),
    ("mail", "me", "2024-03-01T07:00", "rent", "Landlord wants £1,150 from May. I said no.", []),
]
