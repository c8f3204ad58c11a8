"""Amazon's order history."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from reqap_kg.errors import UnknownFormat
from reqap_kg.sources.amazon import FORMAT
from reqap_kg.sources.detect import detect

COLUMNS = [
    "Website",
    "Order ID",
    "Order Date",
    "Purchase Order Number",
    "Currency",
    "Unit Price",
    "Unit Price Tax",
    "Shipping Charge",
    "Total Discounts",
    "Total Owed",
    "Shipment Item Subtotal",
    "Shipment Item Subtotal Tax",
    "ASIN",
    "Product Condition",
    "Quantity",
    "Payment Instrument Type",
    "Order Status",
    "Shipment Status",
    "Ship Date",
    "Shipping Option",
    "Shipping Address",
    "Billing Address",
    "Carrier Name & Tracking Number",
    "Product Name",
    "Gift Message",
    "Gift Sender Name",
    "Gift Recipient Contact Details",
    "Item Serial Number",
]
LINE = {
    "Website": "Amazon.ie",
    "Order ID": "111-0000001-0000001",
    "Order Date": "2024-07-04T22:30:00Z",
    "Currency": "EUR",
    "Unit Price": "9.99",
    "Total Discounts": "'-14.39'",
    "Total Owed": "1,219.49",
    "ASIN": "B000000001",
    "Quantity": "2",
    "Order Status": "Closed",
    "Shipment Status": "Shipped",
    "Product Name": 'Hedge shears, 21" blade',
}


def orders(*lines: dict[str, str], columns: list[str] = COLUMNS) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, restval="Not Available")
    writer.writeheader()
    writer.writerows(LINE | line for line in lines)
    return out.getvalue()


def test_the_format_is_told_by_its_columns(make_file: Any) -> None:
    assert FORMAT.recognise(make_file(orders({}))) == 1.0
    assert FORMAT.recognise(make_file("Order ID,Return Date\n1,2\n")) == 0.0
    assert FORMAT.recognise(make_file("Order ID,Order Date,Product Name,Return Reason\n1,2,3,4\n")) == 0.0


def test_a_line_of_an_order(mapped: Any) -> None:
    event = mapped(FORMAT, orders({})).only
    assert event["a"] == ["ev:Purchase"]
    assert event["ev:start"] == ["2024-07-04T23:30:00"]
    assert event["ev:startInstant"] == ["2024-07-04T22:30:00Z"]
    assert event["ev:product"] == ['Hedge shears, 21" blade']
    assert (event["ev:price"], event["ev:unitPrice"], event["ev:currency"]) == (["1219.49"], ["9.99"], ["EUR"])
    assert (event["ev:quantity"], event["ev:shop"], event["ev:status"]) == (["2"], ["Amazon.ie"], ["Closed"])
    assert event["ev:orderId"] == ["111-0000001-0000001"]
    assert event["key:Total%20Discounts"] == ["-14.39"]
    assert event["key:ASIN"] == ["B000000001"]
    assert "Not Available" not in str(event)


def test_the_price_when_the_export_does_not_tell_the_total(mapped: Any) -> None:
    event = mapped(FORMAT, orders({"Total Owed": "Not Available"})).only
    assert event["ev:price"] == ["19.98"]
    newer = [name.replace("Total Owed", "Total Amount") for name in COLUMNS]
    line = {key: value for key, value in LINE.items() if key != "Total Owed"} | {"Total Amount": "20.50"}
    text = (
        orders(columns=newer)
        + ",".join(f'"{line.get(name, "").replace(chr(34), chr(34) * 2)}"' for name in newer)
        + "\n"
    )
    assert mapped(FORMAT, text).only["ev:price"] == ["20.5"]


def test_fractional_seconds_and_times_without_zone(read: Any) -> None:
    outcome = read(FORMAT, orders({"Order Date": "2025-08-05T03:08:19.087Z"}, {"Order Date": "2015-08-05 03:08:19"}))
    assert [record["Order Date"] for record in outcome.records] == ["2025-08-05T03:08:19.087Z", "2015-08-05T03:08:19Z"]
    assert [record["_certainty"] for record in outcome.records] == ["stated", "assumed"]


def test_cancelled_orders_are_kept_out_with_a_reason(read: Any) -> None:
    outcome = read(FORMAT, orders({}, {"Order Status": "Cancelled", "Order ID": "2"}, {"Order Status": "Canceled"}))
    assert len(outcome.records) == 1
    assert [(bad.reason, bad.count) for bad in outcome.bad] == [("cancelled order", 2)]


def test_lines_without_a_date_are_reported(read: Any) -> None:
    outcome = read(FORMAT, orders({"Order Date": "Not Available"}, {"Order Date": "soon"}, {}))
    assert len(outcome.records) == 1
    assert [bad.where for bad in outcome.bad] == ["line 2", "line 3"]


def test_ids_are_of_the_order_line_and_stable(read: Any) -> None:
    lines = [{}, {"ASIN": "B2", "Product Name": "Twine"}, {}]
    ids = [record["_id"] for record in read(FORMAT, orders(*lines)).records]
    assert len(set(ids)) == 3
    assert all(name.startswith("111-0000001-0000001-") for name in ids)
    newer = [{"Order ID": "9"}, *({**line, "Shipment Status": "Delivered"} for line in reversed(lines))]
    assert set(ids) < {record["_id"] for record in read(FORMAT, orders(*newer)).records}


def test_line_ends_inside_a_cell(read: Any) -> None:
    outcome = read(FORMAT, orders({"Gift Message": "Dear,\nall the best\n"}, {"Order ID": "2"}))
    assert [record["Order ID"] for record in outcome.records] == ["111-0000001-0000001", "2"]
    assert outcome.bad == []


def test_the_same_orders_as_json_are_the_same_purchases(make_file: Any, read: Any) -> None:
    numbers = LINE | {"Unit Price": 9.99, "Quantity": 2, "Gift Message": None}
    for text in (json.dumps([numbers]), json.dumps(numbers) + "\n" + json.dumps(numbers | {"Order ID": "2"}) + "\n"):
        assert detect(make_file(text)).name == "amazon-orders"
        first = read(FORMAT, text).records[0]
        assert (first["Unit Price"], first["Quantity"], first["Gift Message"]) == ("9.99", "2", None)
    with pytest.raises(UnknownFormat, match="Amazon's orders"):
        detect(make_file(json.dumps([{"Order ID": 1, "Order Date": "2024-01-01", "Reason": "broken"}])))
