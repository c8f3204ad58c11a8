"""WhatsApp chats in the layouts of phones and languages."""

from __future__ import annotations

from typing import Any

import pytest

from reqap_kg.sources.chats.whatsapp import FORMAT
from reqap_kg.sources.chats.whatsapp_lines import day_order, read_line, said_in
from reqap_kg.sources.detect import detect

LRM = "\u200e"
RLM = "\u200f"
NARROW = "\u202f"

LAYOUTS = [
    ("[25/12/2023, 21:05:09] ", "2023-12-25T21:05:09"),
    (f"{LRM}[25/12/2023, 21:05:09] ", "2023-12-25T21:05:09"),
    (f"[12/25/23, 9:05:09{NARROW}PM] ", "2023-12-25T21:05:09"),
    ("[25.12.23, 21:05:09] ", "2023-12-25T21:05:09"),
    ("[2023-12-25, 9:05:09 PM] ", "2023-12-25T21:05:09"),
    ("[2023/12/25 21:05] ", "2023-12-25T21:05:00"),
    ("[25-12-2023 21:05:09] ", "2023-12-25T21:05:09"),
    ("[2023/12/25 下午9:05:09] ", "2023-12-25T21:05:09"),
    ("25/12/2023, 21:05 - ", "2023-12-25T21:05:00"),
    ("25/12/2023, 9:05 pm - ", "2023-12-25T21:05:00"),
    ("25/12/23 21:05 - ", "2023-12-25T21:05:00"),
    ("12/25/23, 9:05 PM - ", "2023-12-25T21:05:00"),
    (f"12/25/23, 9:05{NARROW}PM - ", "2023-12-25T21:05:00"),
    ("2023-12-25, 9:05 p.m. - ", "2023-12-25T21:05:00"),
    ("25/12/23 9:05 p. m. - ", "2023-12-25T21:05:00"),
    ("25.12.23, 21:05 - ", "2023-12-25T21:05:00"),
    ("25.12.2023 klo 21.05 - ", "2023-12-25T21:05:00"),
    ("25/12/2023 à 21:05 - ", "2023-12-25T21:05:00"),
    ("2023. 12. 25. 오후 9:05 - ", "2023-12-25T21:05:00"),
    ("2023年12月25日 下午9:05 - ", "2023-12-25T21:05:00"),
    ("25/12/2023, 12:05 am - ", "2023-12-25T00:05:00"),
    ("25/12/2023, 12:05 pm - ", "2023-12-25T12:05:00"),
    ("٢٥/١٢/٢٠٢٣، ٩:٠٥ م - ", "2023-12-25T21:05:00"),
]


def messages(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [record for record in records if record["_kind"] == "message"]


@pytest.mark.parametrize(("begin", "moment"), LAYOUTS)
def test_beginnings_of_lines(make_file: Any, read: Any, begin: str, moment: str) -> None:
    log = f"{begin}Ann Lee: Hello: how are you?\n{begin}Bo: Fine\n"
    assert detect(make_file(log, path="export/x.md")).name == "whatsapp"
    first, second = messages(read(FORMAT, log).records)
    assert (first["_start"], first["_sender"], first["_text"]) == (moment, "Ann Lee", "Hello: how are you?")
    assert (second["_sender"], second["_session"], second["_log"]) == ("Bo", 1, 1)


@pytest.mark.parametrize(
    ("dates", "order"),
    [
        (["1/2/24", "2/2/24", "13/2/24"], "DMY"),
        (["1/2/24", "1/3/24", "1/13/24"], "MDY"),
        (["2024/1/2", "2024/1/3"], "YMD"),
        (["01/02/2024", "02/02/2024", "03/02/2024"], "DMY"),
        (["02/01/2024", "02/02/2024", "02/03/2024"], "MDY"),
        (["11/30/23", "12/1/23", "1/2/24"], "MDY"),
        (["5.6.2024"], "DMY"),
        (["5/6/24"], "MDY"),
    ],
)
def test_the_order_of_day_and_month_is_that_of_the_whole_log(dates: list[str], order: str) -> None:
    assert day_order(dates).order == order


def test_an_order_that_nothing_tells_is_told(read: Any) -> None:
    found = read(FORMAT, "05/06/2024, 21:00 - Ann: Hi\n")
    assert [(bad.key, bad.reason) for bad in found.bad] == [
        ("date", "nothing in the chat tells day from month: read as DMY")
    ]
    assert not read(FORMAT, "05/06/2024, 21:00 - Ann: Hi\n", now="2024-05-07T12:00:00").bad, "June is to come"


def test_lines_go_on_and_marks_vanish(read: Any) -> None:
    log = (
        "[25/12/2023, 21:05:09] Ann: Shopping:\n- bread\n\n- 2 apples: red\n"
        f"{LRM}[25/12/2023, 21:06:09] Bo: {LRM}image omitted\n"
        f"[25/12/2023, 21:07:09] ~\u202fCy: See you {LRM}<This message was edited>\n"
    )
    shopping, image, edited = messages(read(FORMAT, log.replace("\n", "\r\n")).records)
    assert shopping["_text"] == "Shopping:\n- bread\n\n- 2 apples: red"
    assert (image["_text"], image["_attachment"]) == ("", ["image"])
    assert (edited["_sender"], edited["_text"]) == ("Cy", "See you")


@pytest.mark.parametrize(
    ("rest", "text", "attachments"),
    [
        ("Ann: <Media omitted>", "", ("media",)),
        ("Ann: <Medien ausgeschlossen>", "", ("Medien ausgeschlossen",)),
        (f"Ann: {LRM}imagen omitida", "", ("imagen omitida",)),
        (f"Ann: {LRM}<attached: 00000012-PHOTO-2023-12-25.jpg>", "", ("00000012-PHOTO-2023-12-25.jpg",)),
        ("Ann: IMG-20231225-WA0001.jpg (file attached)\nOur tree", "Our tree", ("IMG-20231225-WA0001.jpg",)),
        (f"Ann: {LRM}Location: https://maps.google.com/?q=1,2", "Location: https://maps.google.com/?q=1,2", ()),
        ("Ann: <3", "<3", ()),
        ("Ann: I deleted this message by mistake", "I deleted this message by mistake", ()),
        ("Ann: He left the group of runners early", "He left the group of runners early", ()),
    ],
)
def test_what_a_message_carries(rest: str, text: str, attachments: tuple[str, ...]) -> None:
    said = said_in(rest)
    assert (said.sender, said.text, said.attachments) == ("Ann", text, attachments)


@pytest.mark.parametrize(
    "rest",
    [
        "Messages and calls are end-to-end encrypted. No one outside of this chat can read them.",
        "Ann created group “Trip: Rome”",
        "Ann added Bo",
        'Bo changed the subject from "A: b" to "C: d"',
        "+44 7700 900123 left",
        "Your security code with Ann changed. Tap to learn more.",
        f"Trip to Rome: {LRM}Messages and calls are end-to-end encrypted.",
        f"Trip to Rome: {LRM}Ann created this group",
        f"Ann: {LRM}Ann changed the group description",
        "Nachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt.",
    ],
)
def test_what_whatsapp_says_is_nobodys_message(rest: str) -> None:
    assert said_in(rest).sender == ""


NOTICES = [
    "Messages and calls are end-to-end encrypted. Only people in this chat can read them.",
    "Bo hat dich hinzugefügt.",
    "Bo hat die Gruppe „Fest“ erstellt.",
    "Du bist jetzt Admin.",
    "Bo vous a ajouté",
    "Les messages et les appels sont chiffrés de bout en bout.",
    "Bo te añadió",
    "Bo cambió el ícono de este grupo",
    "Bo adicionou você",
    "Bo ti ha aggiunto",
    "Bo heeft je toegevoegd",
    "Bo добавил(-а) вас",
    "Bo seni ekledi",
    "Boさんがあなたを追加しました",
    "Bo님이 회원님을 추가했습니다",
    "Bo添加了你",
    "Bo lade till dig",
    "Bo dodał(a) Cię",
    "Missed voice call",
    "Verpasster Sprachanruf, Zum Zurückrufen tippen",
    "Llamada perdida",
    "Waiting for this message. This may take a while.",
]


@pytest.mark.parametrize("notice", NOTICES)
@pytest.mark.parametrize("sender", ["Fest", "Bo"])
def test_notices_in_any_language_are_nobodys_and_nothing_attached(read: Any, sender: str, notice: str) -> None:
    log = (
        f"[25.12.2023, 21:00:00] Fest: {LRM}Messages and calls are end-to-end encrypted.\n"
        f"[25.12.2023, 21:01:00] {sender}: {LRM}{notice}\n[25.12.2023, 21:02:00] Bo: Hallo, Fest!\n"
        f"[25.12.2023, 21:03:00] Ann: Bo hat dich hinzugefügt.\n"
    )
    found = read(FORMAT, log)
    assert [(row["_sender"], row["_text"], row["_attachment"]) for row in messages(found.records)] == [
        ("Bo", "Hallo, Fest!", []),
        ("Ann", "Bo hat dich hinzugefügt.", []),
    ]
    assert [(bad.reason, bad.count) for bad in found.bad] == [("what WhatsApp itself says", 2)]
    assert messages(found.records)[0]["_chat"] == "Fest"


@pytest.mark.parametrize(
    "words",
    ["image omitted", "Bild weggelassen", "image absente", "imagen omitida", "imagem ocultada", "immagine omessa",
     "afbeelding weggelaten", "изображение пропущено", "görüntü dahil edilmedi", "画像は含まれていません",
     "이미지 생략됨", "图像已忽略", "bild utelämnad", "billede udeladt", "obraz pominięto", "obrázek vynechán",
     "kép kihagyva"],
)  # fmt: skip
def test_what_is_left_out_stands_for_something_attached_in_any_language(read: Any, words: str) -> None:
    log = f"[25.12.2023, 21:00:00] Ann: Hi\n[25.12.2023, 21:01:00] Ann: {LRM}{words}\n"
    _, row = messages(read(FORMAT, log).records)
    assert (row["_text"], len(row["_attachment"])) == ("", 1)


def test_what_stands_under_several_names_is_left_out_in_a_language_that_nobody_knows(read: Any) -> None:
    log = f"[25.12.2023, 21:00:00] Ann: {LRM}assi peqqa\n[25.12.2023, 21:01:00] Bo: {LRM}assi peqqa\n"
    assert [row["_attachment"] for row in messages(read(FORMAT, log).records)] == [["assi peqqa"]] * 2


@pytest.mark.parametrize(
    "words",
    ["Diese Nachricht wurde gelöscht.", "Ce message a été supprimé", "Se eliminó este mensaje.", "Mensagem apagada",
     "Questo messaggio è stato eliminato.", "Dit bericht is verwijderd", "Данное сообщение удалено", "Bu mesaj silindi",
     "Ta wiadomość została usunięta", "このメッセージは削除されました", "此消息已删除",
     "삭제된 메시지입니다", "הודעה זו נמחקה"],
)  # fmt: skip
@pytest.mark.parametrize("mark", ["", LRM, RLM])
def test_deleted_messages_in_any_language_are_none(read: Any, words: str, mark: str) -> None:
    found = read(FORMAT, f"25.12.2023, 21:00 - Ann: Hi\n25.12.2023, 21:01 - Ann: {mark}{words}\n")
    assert [row["_text"] for row in messages(found.records)] == ["Hi"]
    assert found.reasons == ["a deleted message"]


def test_a_notice_with_a_colon_is_nobodys(read: Any) -> None:
    log = (
        "25.12.2023, 21:00 - Ann: Salut\n25.12.2023, 21:01 - Ann a changé le sujet en: Fête\n"
        "25.12.2023, 21:02 - Ann Lee: Salut à vous\n"
    )
    assert [row["_sender"] for row in messages(read(FORMAT, log).records)] == ["Ann", "Ann Lee"]


def test_what_a_person_sends_though_whatsapp_writes_it(read: Any) -> None:
    log = (
        f"[25.12.2023, 21:00:00] Ann: {LRM}UMFRAGE:\nWann?\n{LRM}OPTION: Um acht\n"
        f"[25.12.2023, 21:01:00] Bo: {LRM}Standort: https://maps.google.com/?q=1,2\n"
        f"[25.12.2023, 21:02:00] Bo: {RLM}שלום לכולם\n[25.12.2023, 21:03:00] Bo: {LRM}<прикреплено: 1-PHOTO.jpg>\n"
        f"[25.12.2023, 21:04:00] Bo: {LRM}Plan.pdf • {LRM}3 Seiten {LRM}Dokument weggelassen\n"
    )
    found = [(row["_text"], row["_attachment"]) for row in messages(read(FORMAT, log).records)]
    assert found[:3] == [
        ("UMFRAGE:\nWann?\nOPTION: Um acht", []),
        ("Standort: https://maps.google.com/?q=1,2", []),
        ("שלום לכולם", []),
    ]
    assert found[3] == ("", ["1-PHOTO.jpg"])
    assert (found[4][0], len(found[4][1])) == ("", 1)


def test_what_is_left_out_is_counted(read: Any) -> None:
    log = (
        "25/12/2023, 21:00 - Ann created group “Trip”\n25/12/2023, 21:01 - Ann: This message was deleted\n"
        "25/12/2023, 21:02 - Bo: Hi\n31/02/2023, 21:03 - Bo: never\n25/12/2023, 21:04 - Bo changed the group name\n"
    )
    found = read(FORMAT, log)
    assert [row["_text"] for row in messages(found.records)] == ["Hi"]
    assert {(bad.reason, bad.count) for bad in found.bad} == {
        ("what WhatsApp itself says", 2),
        ("a deleted message", 1),
        ("no date: 31/02/2023", 1),
    }
    assert messages(found.records)[0]["_chat"] == "Trip"


def test_a_chat_of_two_is_named_after_the_other_one(make_file: Any, read: Any) -> None:
    log = "25/12/2023, 21:00 - Ann: Hi\n25/12/2023, 21:02 - Robin: Hello\n"
    path = "x/WhatsApp Chat with Ann.txt"
    first, second = messages(read(FORMAT, log, path=path).records)
    assert (first["_chat"], first["_direction"], second["_direction"]) == ("Ann", "received", "sent")
    assert (first["_addressee"], second["_addressee"]) == (["Robin"], ["Ann"])
    assert FORMAT.source_name(make_file(log, path=path)) == "whatsapp-ann"
    assert FORMAT.source_name(make_file(log, path="WhatsApp Chat - Ann.zip!_chat.txt")) == "whatsapp-ann"
    assert messages(read(FORMAT, log, owner_names=("Robin",)).records)[0]["_chat"] == "Ann"


def test_an_hour_that_comes_twice_keeps_its_order(read: Any) -> None:
    log = "".join(
        f"29/10/2023, {clock} - Ann: {clock}\n" for clock in ("01:50", "01:59", "01:12", "01:30", "01:45", "02:00")
    )
    found = messages(read(FORMAT, log).records)
    assert [row["_text"] for row in found] == ["01:50", "01:59", "01:12", "01:30", "01:45", "02:00"]
    assert [row["_session"] for row in found] == [1] * 6


@pytest.mark.parametrize(
    "text",
    ["25 December: we went to Rome - it was fine", "2024-01-05 10:00 - nothing said", "- [ ] 1/2/24 buy milk", "a: b"],
)
def test_other_texts_are_no_chats(make_file: Any, text: str) -> None:
    assert FORMAT.recognise(make_file(text + "\n")) == 0


def test_a_line_as_phones_write_it_has_a_moment() -> None:
    assert read_line("[25/12/2023, 25:05:09] Ann: x") is None
    assert read_line("Ann: [25/12/2023, 21:05:09] x") is None
