"""Which mails are drafts, sent or received, by the names of labels and folders in the language of the account.

What does not depend on a language goes first (IMAP's marks, headers of mail programs); else these are the names that
Gmail has in its languages, and those of the folders of usual mail programs.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

__all__ = ["DRAFTS", "INBOX", "SENT", "given_by_hand", "kind_of_folder", "kinds_of"]

DRAFTS: Final = "drafts"
SENT: Final = "sent"
INBOX: Final = "inbox"

_NAMES: Final = {
    DRAFTS: """Draft|Drafts|Entwurf|Entwürfe|Brouillon|Brouillons|Borrador|Borradores|Rascunho|Rascunhos|Bozza
        |Bozze|Concept|Concepten|Kladde|Kladder|Utkast|Luonnos|Luonnokset|Drög|Wersje robocze|Kopie robocze
        |Szkice|Koncept|Koncepty|Rozepsané|Piszkozat|Piszkozatok|Vázlatok|Mesaje nefinalizate|Nefinalizate
        |Schițe|Ciorne|Чернови|Черновик|Черновики|Чернетка|Чернетки|Чарнавікі|Недовршено|Недовршене
        |Недовршене поруке|Радне верзије|Нацрти|Nedovršeno|Nacrti|Skica|Skice|Osnutek|Osnutki|Mustand
        |Mustandid|Melnraksts|Melnraksti|Juodraštis|Juodraščiai|Πρόχειρο|Πρόχειρα|Taslak|Taslaklar|טיוטה
        |טיוטות|مسودة|مسودات|المسودات|پیش‌نویس|پیش‌نویس‌ها|پیش نویس ها|ڈرافٹ|ڈرافٹس|ड्राफ़्ट|ड्राफ्ट
        |ड्राफ़्ट्स|ड्राफ्ट्स|मसुदा|मसुदे|मस्यौदा|प्रारूप|ড্রাফ্ট|ড্রাফট|খসড়া|খসড়াগুলি|ડ્રાફ્ટ|ડ્રાફ્ટ્સ
        |வரைவு|வரைவுகள்|చిత్తుప్రతి|చిత్తుప్రతులు|డ్రాఫ్ట్‌లు|ಡ್ರಾಫ್ಟ್‌ಗಳು|ಕರಡುಗಳು|ಡ್ರಾಫ್ಟ್|ഡ്രാഫ്റ്റുകൾ
        |ഡ്രാഫ്‌റ്റുകൾ|ഡ്രാഫ്റ്റ്|ร่าง|จดหมายร่าง|ร่างจดหมาย|ข้อความร่าง|Thư nháp|Bản nháp|Nháp|Draf|Konsep
        |Mga Draft|下書き|草稿|草稿箱|임시보관함|임시 보관함|임시보관|초안|Esborrany|Esborranys|Zirriborro
        |Zirriborroak|Konsepte|Okusalungiswa|Okusalungiswayo|Amadrafti|Rasimu|ረቂቅ|ረቂቆች|Սևագիր|Սևագրեր
        |მონახაზები|დრაფტები|შავი ვარიანტები|Qaralama|Qaralamalar|Ноорог|Ноорогууд|សេចក្ដីព្រាង|សំណៅព្រាង
        |ຮ່າງ|ສະບັບຮ່າງ|မူကြမ်း|မူကြမ်းများ|කෙටුම්පත්|Drafft|Drafftiau|Draftet|Нацрт|Жобалар|Нобайлар
        |Qoralama|Qoralamalar|Сомдомолор""",
    SENT: """Sent|Sent Mail|Sent Items|Sent Messages|Sent-1|Gesendet|Gesendete|Gesendete Elemente
        |Gesendete Objekte|Gesendete Nachrichten|Envoyé|Envoyés|Messages envoyés|Éléments envoyés
        |Courrier envoyé|Enviado|Enviados|Enviada|Enviadas|Correo enviado|Elementos enviados
        |Mensajes enviados|Itens enviados|Itens Enviados|E-mails enviados|Correio enviado|Mensagens enviadas
        |Inviato|Inviati|Inviata|Posta inviata|Messaggi inviati|Verzonden|Verzonden items
        |Verzonden berichten|Sendt|Sendte|Sendte mails|Sendt post|Sendte elementer|Sendte e-poster|Skickat
        |Skickade|Skickat e-post|Skickade mail|Lähetetty|Lähetetyt|Lähetetyt viestit|Sendur póstur|Sendur
        |Wysłane|Wysłano|Elementy wysłane|Odeslané|Odesláno|Odeslaná pošta|Odoslané|Odoslaná pošta|Elküldött
        |Elküldve|Elküldött üzenetek|Elküldött levelek|Elküldött elemek|Trimise|Mesaje trimise|Изпратено
        |Изпратени|Изпратена поща|Отправлено|Отправленные|Отправленное|Надіслано|Надіслані|Надіслана пошта
        |Адпраўленыя|Дасланыя|Послато|Послате|Послате поруке|Poslato|Poslano|Poslane|Poslana pošta|Saadetud
        |Saadetud kirjad|Saadetud meilid|Nosūtīts|Nosūtītie|Nosūtītās|Nosūtītās vēstules|Nosūtītie vienumi
        |Išsiųsta|Išsiųsti|Išsiųsti laiškai|Απεσταλμένα|Σταλμένα|Απεσταλμένο|Gönderildi|Gönderilmiş
        |Gönderilenler|Gönderilmiş Postalar|Gönderilmiş Öğeler|Gönderilen|נשלח|נשלחו|דואר יוצא|דואר שנשלח
        |הודעות שנשלחו|المرسل|المرسلة|المُرسَلة|البريد المرسل|بريد مرسل|الرسائل المرسلة|ارسال‌شده|ارسال شده
        |نامه‌های ارسال‌شده|نامه‌های ارسال شده|پیام‌های ارسالی|بھیجا گیا|بھیجے گئے|بھیجی گئی میل|भेजा गया
        |भेजे गए|भेजी गई|भेजा गया मेल|भेजे गए मेल|प्रेषित|पठाइएको|पाठवलेले|पाठविलेले|पाठवलेला मेल|পাঠানো
        |পাঠানো হয়েছে|পাঠানো মেল|প্রেরিত|মোકলেল|મોકલેલ|મોકલેલા|મોકલેલા મેઇલ|અனுப்பியவை|அனுப்பியவை
        |அனுப்பிய அஞ்சல்|அனுப்பப்பட்டவை|పంపినవి|పంపబడినవి|పంపిన మెయిల్|ಕಳುಹಿಸಲಾಗಿದೆ|ಕಳುಹಿಸಿರುವುದು|ಕಳುಹಿಸಿದ
        |ಕಳುಹಿಸಿದ ಮೇಲ್|അയച്ചു|അയച്ചവ|അയച്ച മെയിൽ|അയച്ച സന്ദേശങ്ങൾ|ส่งแล้ว|ส่ง|จดหมายที่ส่งแล้ว|จดหมายที่ส่ง
        |รายการที่ส่ง|Đã gửi|Thư đã gửi|Terkirim|Pesan Terkirim|Surat Terkirim|Email Terkirim|Dihantar
        |Mel Dihantar|Mel yang Dihantar|Naipadala|Naipadala na|Naipadalang Mail|Ipinadala|Ipinadalang Mail
        |送信済み|送信済|送信済みメール|送信済みアイテム|已发送|已发邮件|已发送邮件|已傳送|已寄出|寄件備份
        |寄件匣|已傳送郵件|보낸편지함|보낸 편지함|보낸메일함|보낸 메일함|Enviat|Enviats|Correu enviat
        |Bidalita|Bidaliak|Bidalitakoak|Bidalitako mezuak|Gestuur|Gestuurde pos|Okuthunyelwe|Kuthunyelwe
        |Zilizotumwa|Iliyotumwa|Zimetumwa|Barua Zilizotumwa|የተላከ|የተላኩ|Ուղարկված|Ուղարկվածներ|გაგზავნილი
        |გაგზავნილები|Göndərilib|Göndərilmiş|Göndərilənlər|Илгээсэн|Илгээсэн захидал|Илгээсэн имэйл|បានផ្ញើ
        |សារដែលបានផ្ញើ|ສົ່ງແລ້ວ|ပို့ပြီး|ပို့ထားသော|ပို့ထားသည်|යැවූ|යැවූ ලිපි|යවන ලද|Anfonwyd|Wedi anfon
        |Post a Anfonwyd|Dërguar|Të dërguara|Испратени|Пратени|Жіберілген|Жіберілгендер|Yuborilgan
        |Yuborilganlar|Жөнөтүлгөндөр""",
    INBOX: """Inbox|Posteingang|Boîte de réception|Bandeja de entrada|Recibidos|Caixa de entrada|Entrada|Recebidos
        |Posta in arrivo|In arrivo|Postvak IN|Indbakke|Innboks|Inkorg|Inkorgen|Saapuneet|Postilaatikko
        |Innhólf|Pósthólf|Odebrane|Skrzynka odbiorcza|Doručené|Doručená pošta|Přijaté|Beérkezett üzenetek
        |Beérkező levelek|Beérkezett|Beérkezett levelek|Mesaje primite|Primite|Inboxul|Входящи|Входяща поща
        |Входящие|Вхідні|Уваходныя|Примљено|Примљене|Пријемно сандуче|Primljeno|Pristigla pošta|Pristiglo
        |Prejeto|Prejeta pošta|Postkast|Sisendkaust|Sissetulnud kirjad|Iesūtne|Gautieji|Gauti laiškai|Gauta
        |Εισερχόμενα|Gelen Kutusu|Gelen|דואר נכנס|תיבת דואר נכנס|הדואר הנכנס|תיבת הדואר הנכנס|الوارد
        |البريد الوارد|صندوق الوارد|علبة الوارد|صندوق ورودی|صندوق دریافت|ان باکس|इनबॉक्स|इनबक्स|ইনবক্স
        |ઇનબૉક્સ|ઇનબોક્સ|இன்பாக்ஸ்|ఇన్‌బాక్స్|ఇన్బాక్స్|ಇನ್‌ಬಾಕ್ಸ್|ಇನ್ಬಾಕ್ಸ್|ഇൻബോക്‌സ്|ഇൻബോക്സ്|กล่องจดหมาย
        |กล่องขาเข้า|กล่องจดหมายเข้า|Hộp thư đến|Kotak Masuk|Peti masuk|受信トレイ|受信箱|受信ボックス
        |收件箱|收件匣|받은편지함|받은 편지함|받은메일함|받은 메일함|Safata d'entrada|Safata d’entrada
        |Rebuts|Sarrerako ontzia|Sarrera-ontzia|Inkassie|Inmandjie|Ibhokisi lokungenayo
        |Ibhokisi lemeyili engenayo|Kikasha|ገቢ መልዕክት ሳጥን|የገቢ መልዕክት ሳጥን|Մուտքի արկղ|Մուտքային|შემოსულები
        |შემოსული|შემოსული წერილები|Gələnlər qutusu|Gələnlər|Gələn qutusu|Ирсэн захидал|Ирсэн имэйл
        |Ирсэн шуудан|ប្រអប់ទទួល|ប្រអប់ចូល|ប្រអប់សារចូល|ກ່ອງຈົດໝາຍເຂົ້າ|ອິນບັອກ|ဝင်စာ|ဝင်စာများ|ဝင်စာပုံး
        |එන ලිපි|Mewnflwch|Blwch Derbyn|Kutia hyrëse|Примени|Влезно сандаче|Кіріс|Кіріс жәшігі|Kiruvchi
        |Kiruvchilar|Кирүүчү""",
}
"""Names of the labels and folders, divided by |."""
_PROGRAM: Final = """Opened|Unread|Archived|Archive|All Mail|Important|Spam|Junk|Trash|Chats|Geöffnet|Ungelesen
    |Archiviert|Alle Nachrichten|Wichtig|Papierkorb|Ouvert|Ouverts|Non lus|Non lu|Archivé|Archivés|Tous les messages
    |Corbeille|Abierto|Abiertos|No leídos|No leído|Archivados|Archivado|Importante|Importantes|Papelera|Aperto
    |Aperti|Da leggere|Archiviati|Archiviato|Tutti i messaggi|Importanti|Cestino|Aberto|Aberta|Abertas|Não lidas
    |Não lida|Arquivado|Arquivada|Arquivadas|Todos os e-mails|Lixeira|Lixo|Geopend|Ongelezen|Gearchiveerd|Alle e-mail
    |Alle berichten|Belangrijk|Prullenbak|$Forwarded|$MDNSent|$label1|NonJunk|JunkRecorded|NotJunk|Seen|Recent|Answered
    |Flagged|Deleted"""
"""Labels besides them that programs give by themselves; a star is a person's."""
_CATEGORIES: Final = (
    "category ",
    "kategorie: ",
    "catégorie : ",
    "catégorie: ",
    "categoría: ",
    "categoria: ",
    "categorie: ",
)
"""How labels begin by which Gmail sorts mails."""
_PREFIX: Final = re.compile(r"\[(?:Gmail|Google Mail|Imap)\]/|\\", re.IGNORECASE)
"""What stands before Gmail's own names as IMAP tells them."""


def kinds_of(labels: Iterable[str]) -> frozenset[str]:
    """Which of drafts, sent mails and inbox labels name, in whatever language."""
    known = _known()
    named = (known.get(_plain(_PREFIX.sub("", label.strip(), count=1))) for label in labels)
    return frozenset(kind for kind in named if kind is not None)


def given_by_hand(labels: Iterable[str]) -> list[str]:
    """The labels that a person gave: those that a mail program gives by itself tell where it put a mail, whether it was
    opened, and how it was sorted."""
    return [label for label in labels if not _is_of_program(_plain(_PREFIX.sub("", label.strip(), count=1)))]


def _is_of_program(name: str) -> bool:
    return name in _known() or name in _of_program() or name.startswith(_CATEGORIES)


@lru_cache(maxsize=1)
def _of_program() -> frozenset[str]:
    return frozenset(_plain(name) for name in _PROGRAM.split("|"))


def kind_of_folder(path: str) -> str | None:
    """What the folder holds that a mailbox is, by its name; None where the name says nothing of it."""
    names = [
        re.sub(r"\.(?:mbox|mbx|zip|eml|txt)$", "", name, flags=re.IGNORECASE) for name in re.split(r"[/\\!]", path)
    ]
    name = names[-1] if names[-1].casefold() != "mbox" else names[-2] if len(names) > 1 else ""
    return _known().get(_plain(re.sub(r"-\d{1,3}$", "", name)))


@lru_cache(maxsize=1)
def _known() -> dict[str, str]:
    return {_plain(name): kind for kind, names in _NAMES.items() for name in names.split("|")}


def _plain(name: str) -> str:
    """A name without what its spelling may vary in: case, blanks, marks that join letters."""
    text = unicodedata.normalize("NFKC", name).casefold()
    return " ".join("".join(sign for sign in text if unicodedata.category(sign) != "Cf").split())
