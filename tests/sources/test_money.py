"""Statements of banks as CSV, OFX and CAMT.053, and PayPal's activity."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import pytest
from damaged_exports import mutated

from reqap_kg.errors import SourceError
from reqap_kg.sources.detect import detect
from reqap_kg.sources.money.amounts import DecimalSigns, amount
from reqap_kg.sources.money.bank_csv import FORMAT as TABLE
from reqap_kg.sources.money.camt import FORMAT as CAMT
from reqap_kg.sources.money.ofx import FORMAT as OFX
from reqap_kg.sources.money.paypal import FORMAT as PAYPAL

GERMAN = (
    '"Kontonummer:";"DE02 1234 5678 / Girokonto";\n"Kontostand vom 01.07.2023:";"1.234,56 EUR";\n\n'
    '"Buchungsdatum";"Wertstellung";"Status";"Zahlungspflichtige*r";"Zahlungsempfänger*in";"Verwendungszweck";'
    '"Umsatztyp";"Betrag (€)"\n'
    '"13.06.23";"13.06.23";"Gebucht";"Ada Small";"REWE Markt GmbH";"Einkauf";"Ausgang";"-1.012,50"\n'
    '"01.06.23";"01.06.23";"Gebucht";"Werk AG";"Ada Small";"Lohn Mai";"Eingang";"2.500"\n'
    '"30.05.23";"30.05.23";"Vorgemerkt";"Ada Small";"Kiosk";"";"Ausgang";"-3,20"\n'
    '"kein Tag";"";"Gebucht";"";"Kiosk";"";"Ausgang";"-3,20"\n'
)
ENGLISH = "Date,Description,Paid out,Paid in,Balance\n02 Jan 2023,TESCO,£12.30,,100\n03 Jan 2023,REFUND,,1.00,101\n"
SGML = (
    "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nENCODING:USASCII\nCHARSET:1252\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS>"
    "<CURDEF>EUR<BANKACCTFROM><BANKID>1<ACCTID>12345678<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>\n"
    "<STMTTRN><TRNTYPE>POS<DTPOSTED>20230401122017.000[-5:EST]<TRNAMT>-6.60<FITID>A1<NAME>CAF\xc9 &amp; BAR"
    "<MEMO>lunch</STMTTRN>\n"
    "<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20230402<TRNAMT>+10,00<FITID>A2<NAME>EMPLOYER</STMTTRN>\n"
    "<STMTTRN><TRNTYPE>FEE<DTPOSTED>20230402<TRNAMT>0<FITID>A3</STMTTRN>\n"
    "</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n"
)
XML = (
    '<?xml version="1.0"?>\n<?OFX OFXHEADER="200"?>\n<OFX><BANKMSGSRSV1><STMTRS><CURDEF>AUD</CURDEF>'
    "<BANKACCTFROM><ACCTID>9876</ACCTID></BANKACCTFROM><BANKTRANLIST><STMTTRN><TRNTYPE>DEBIT</TRNTYPE>"
    "<DTPOSTED>20230115120000</DTPOSTED><TRNAMT>-16.85</TRNAMT><FITID>1</FITID>"
    "<NAME><![CDATA[ALDI <STORE>  ]]></NAME></STMTTRN></BANKTRANLIST></STMTRS></BANKMSGSRSV1></OFX>"
)
STATEMENT = """<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>1</Id>
<Acct><Id><IBAN>DE02100500000054540402</IBAN></Id><Ccy>EUR</Ccy></Acct>
<Ntry><Amt Ccy="EUR">42.10</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
<BookgDt><Dt>2023-06-13</Dt></BookgDt>
<AcctSvcrRef>R1</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>
<RltdPties><Cdtr><Pty><Nm>Stadtwerke</Nm></Pty></Cdtr></RltdPties>
<RmtInf><Ustrd>Strom</Ustrd><Ustrd>Juni</Ustrd></RmtInf>
</TxDtls></NtryDtls><AddtlNtryInf>Lastschrift</AddtlNtryInf></Ntry>
<Ntry><Amt Ccy="EUR">30.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>
<BookgDt><Dt>2023-06-14</Dt></BookgDt><NtryDtls>
<TxDtls><Amt Ccy="EUR">10.00</Amt><RltdPties><Dbtr><Nm>Bo</Nm></Dbtr></RltdPties></TxDtls>
<TxDtls><Amt Ccy="EUR">20.00</Amt><RltdPties><Dbtr><Nm>Cy</Nm></Dbtr></RltdPties></TxDtls></NtryDtls></Ntry>
<Ntry><Amt Ccy="EUR">5</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>PDNG</Cd></Sts></Ntry></Stmt></BkToCstmrStmt></Document>
"""
ACTIVITY = (
    '"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","Transaction ID","Item Title"\n'
    '"13/06/2023","10:00:00","PDT","Shop Ltd","Express Checkout Payment","Completed","USD","-1,234.50","0","-1,234.50",'
    '"T1","Lamp"\n'
    '"13/06/2023","10:00:00","PDT","","General Currency Conversion","Completed","EUR","-9.00","0","-9.00","T2",""\n'
    '"14/06/2023","10:00:00","PDT","Bo Low","Mobile Payment","Completed","EUR","20.00","0","20.00","T3",""\n'
    '"14/06/2023","10:00:00","PDT","Cy","Mobile Payment","Pending","EUR","20.00","0","20.00","T4",""\n'
)
ALL = {"bank-csv": GERMAN, "ofx": SGML, "camt053": STATEMENT, "paypal": ACTIVITY}


@pytest.mark.parametrize(
    ("text", "form"),
    [(GERMAN, TABLE), (ENGLISH, TABLE), (SGML, OFX), (XML, OFX), (STATEMENT, CAMT), (ACTIVITY, PAYPAL)],
)
def test_statements_are_told_by_their_content(make_file: Any, text: str, form: Any) -> None:
    assert detect(make_file(text)) is form


@pytest.mark.parametrize(
    "text",
    [
        "Date,Title,Rating\n2023-01-01,A,5\n",
        "Date,Description,Amount\nnever,lunch,much\n",
        "Date,Steps,Distance\n2023-01-01,100,2\n",
        "Dear all,\nthe date, the amount; and so on\n",
    ],
)
def test_other_tables_are_not_taken(make_file: Any, text: str) -> None:
    assert TABLE.recognise(make_file(text)) == 0.0


def test_a_german_bank_below_its_preamble(mapped: Any) -> None:
    found = mapped(TABLE, GERMAN)
    by = found.by("a")
    paid, got = by["ev:Payment"], by["ev:Income"]
    assert (paid["ev:payee"], paid["ev:price"], paid["ev:currency"]) == (["REWE Markt GmbH"], ["1012.50"], ["EUR"])
    assert (paid["ev:start"], paid["ev:timePrecision"]) == (["2023-06-13T00:00:00"], ["day"])
    assert (paid["ev:memo"], paid["rdfs:label"]) == (["Einkauf"], ["REWE Markt GmbH"])
    assert (got["ev:payer"], got["ev:price"]) == (["Werk AG"], ["2500"])
    told, pending, day = (found.bad[at] for at in range(3))
    assert told.count == 0
    assert "amount is “Betrag (€)”" in told.reason
    assert "the day first, a decimal comma" in told.reason
    assert (pending.where, pending.reason) == ("line 7", "not booked (Vorgemerkt)")
    assert day.reason == "no day in the order DMY: 'kein Tag'"


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16"])
def test_columns_for_paid_and_got_in_any_encoding(read: Any, encoding: str) -> None:
    rows = read(TABLE, ENGLISH.encode(encoding)).records
    assert [(row["_kind"], row["_amount"], row["_currency"]) for row in rows] == [
        ("payment", "12.30", "GBP"),
        ("income", "1.00", None),
    ]


def test_a_column_may_say_what_was_paid(read: Any) -> None:
    header = "Date,Description,Original Description,Amount,Transaction Type,Category\n"
    text = header + "1/13/2023,A,a,5.00,debit,Food\n1/14/2023,B,b,6.00,credit,Pay\n"
    outcome = read(TABLE, text)
    assert [(row["_kind"], row["_start"], row["_category"]) for row in outcome.records] == [
        ("payment", "2023-01-13", "Food"),
        ("income", "2023-01-14", "Pay"),
    ]
    assert "the kind says what was paid" in outcome.bad[0].reason


def test_where_no_amount_is_negative_all_are_payments_and_that_is_said(read: Any) -> None:
    outcome = read(TABLE, "Date,Description,Amount\n2023-01-13,A,5.00\n2023-01-14,B,6.00\n")
    assert [row["_kind"] for row in outcome.records] == ["payment", "payment"]
    assert "no amount is negative: all are read as payments" in outcome.bad[0].reason


def test_a_doubtful_order_of_days_is_said(read: Any) -> None:
    outcome = read(TABLE, "Date,Payee,Amount\n03/04/2023,A,-5\n05/04/2023,B,-6\n")
    assert {row["_certainty"] for row in outcome.records} == {"assumed"}
    assert [(bad.key, bad.count) for bad in outcome.bad] == [(None, 0), ("Date", 2)]


def test_a_newer_statement_gives_the_same_ids(read: Any) -> None:
    rows = ["2023-01-13,A,-5.00", "2023-01-13,A,-5.00", "2023-01-14,B,6.00"]
    old, new = (
        {row["_id"] for row in read(TABLE, "\n".join(["Date,Payee,Amount", *given])).records}
        for given in (rows, ["2023-02-01,C,-1.00", *rows])
    )
    assert len(old) == 3
    assert old < new


def test_ofx_with_and_without_end_tags(mapped: Any, read: Any) -> None:
    found = mapped(OFX, SGML.encode("cp1252"))
    paid = found.by("a")["ev:Payment"]
    assert (paid["ev:payee"], paid["ev:price"], paid["ev:currency"]) == (["CAFÉ & BAR"], ["6.60"], ["EUR"])
    assert (paid["ev:start"], paid["ev:account"]) == (["2023-04-01T12:20:17"], ["5678"])
    assert (paid["ev:transactionType"], paid["ev:memo"]) == (["card payment"], ["lunch"])
    assert paid["ev:sourceId"][0].endswith("-A1")
    assert found.by("a")["ev:Income"]["ev:price"] == ["10.00"]
    assert [bad.reason for bad in found.bad] == ["an amount of zero moves no money"]
    record = read(OFX, XML).only
    assert (record["_payee"], record["_start"], record["_currency"]) == ("ALDI <STORE>", "2023-01-15", "AUD")


def test_fitid_tells_transactions_apart(read: Any) -> None:
    again = SGML.replace(
        "</BANKTRANLIST>", SGML[SGML.index("<STMTTRN>") : SGML.index("</BANKTRANLIST>")] + "</BANKTRANLIST>"
    )
    outcome = read(OFX, again)
    assert len(outcome.records) == 2
    assert ("the same transaction again", 2) in [(bad.reason, bad.count) for bad in outcome.bad]


def test_a_cut_statement_says_so(read: Any) -> None:
    for form, text in ((OFX, SGML), (CAMT, STATEMENT)):
        with pytest.raises(SourceError, match="cut off"):
            read(form, text[: len(text) * 2 // 3])
    with pytest.raises(SourceError, match="no transactions"):
        read(PAYPAL, ACTIVITY.splitlines()[0] + "\n")


def test_camt_with_a_batch(mapped: Any) -> None:
    found = mapped(CAMT, STATEMENT)
    by = {event["rdfs:label"][0]: event for event in found.events.values()}
    assert set(by) == {"Stadtwerke", "Bo", "Cy"}
    bill = by["Stadtwerke"]
    assert (bill["a"], bill["ev:price"], bill["ev:memo"]) == (["ev:Payment"], ["42.10"], ["Strom Juni"])
    assert (bill["ev:start"], bill["ev:account"]) == (["2023-06-13T00:00:00"], ["0402"])
    assert (bill["ev:transactionType"], bill["ev:sourceId"][0][-3:]) == (["Lastschrift"], "-R1")
    assert (by["Bo"]["a"], by["Bo"]["ev:price"], by["Cy"]["ev:price"]) == (["ev:Income"], ["10.00"], ["20.00"])
    assert [bad.reason for bad in found.bad] == ["not booked (PDNG)"]


def test_statements_of_several_accounts_are_several_sources(make_file: Any) -> None:
    names = [form.source_name(make_file(text)) for form, text in ((OFX, SGML), (OFX, XML), (CAMT, STATEMENT))]
    assert names == ["bank-5678", "bank-9876", "bank-0402"]
    tables = {TABLE.source_name(make_file(text)) for text in (GERMAN, ENGLISH, ENGLISH + "04 Jan 2023,B,1,,1\n")}
    assert len(tables) == 2


def test_no_entity_is_expanded(read: Any) -> None:
    bomb = STATEMENT.replace("<Document", '<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><Document', 1)
    with suppress(SourceError):
        assert "aaaa" not in str(read(CAMT, bomb.replace("Stadtwerke", "&b;")).records)


def test_paypal_leaves_out_what_is_paid_to_nobody(mapped: Any) -> None:
    found = mapped(PAYPAL, ACTIVITY)
    by = found.by("a")
    paid = by["ev:Payment"]
    assert (paid["ev:payee"], paid["ev:price"], paid["ev:currency"]) == (["Shop Ltd"], ["1234.50"], ["USD"])
    assert (paid["ev:start"], paid["ev:memo"]) == (["2023-06-13T18:00:00"], ["Lamp"])
    assert (paid["ev:sourceId"], by["ev:Income"]["ev:payer"]) == (["T1"], ["Bo Low"])
    assert [(bad.reason, bad.count) for bad in found.bad] == [
        ("money that is moved, converted or held back, not paid to anybody", 1),
        ("not completed (Pending)", 1),
    ]


@pytest.mark.parametrize(
    ("text", "sign", "value"),
    [
        ("1.234,56-", ",", "-1234.56"),
        ("(12.00)", ".", "-12.00"),
        ("-€12", ".", "-12"),
        ("12,00 EUR", ",", "12.00"),
        ("CHF 1'234.50", ".", "1234.50"),
        ("12 DR", ".", "-12"),
        ("−5", ".", "-5"),
        ("+1 000,5", ",", "1000.5"),
        ("12.3.4", ".", None),
        ("about 12 or so", ".", None),
        ("9" * 30, ".", None),
        ("", ".", None),
        ("x\0", ".", None),
    ],
)
def test_amounts(text: str, sign: str, value: str | None) -> None:
    found = amount(text, sign)
    assert (None if found is None else str(found)) == value


@pytest.mark.parametrize(
    ("texts", "sign"), [(["1,234", "5.00"], "."), (["1.234", "5,00"], ","), (["1.234.567"], ","), (["1,234"], "?")]
)
def test_the_decimal_sign_is_told_by_all_amounts(texts: list[str], sign: str) -> None:
    signs = DecimalSigns()
    for text in texts:
        signs.add(text)
    assert signs.sign("?") == sign


@pytest.mark.parametrize("name", sorted(ALL))
def test_damage_never_becomes_a_traceback(make_file: Any, read: Any, name: str) -> None:
    form = detect(make_file(ALL[name]))
    luck = random.Random(name)
    for _ in range(150):
        data = mutated(ALL[name].encode(), luck)
        form.recognise(make_file(data))
        with suppress(SourceError):
            read(form, data)
