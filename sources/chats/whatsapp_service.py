"""What WhatsApp itself writes into a chat, told in any language from what people write.

iOS puts a mark of direction before what it writes for somebody; behind it stand notices, and what stands for a picture
or a deleted message. The latter are told by their words, as these are few; all else behind a mark is a notice.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

__all__ = [
    "BY_PERSON",
    "CALL",
    "DELETED",
    "EDITED",
    "NO_VOICES",
    "OF_WHATSAPP",
    "OMITTED",
    "Voices",
    "has_name",
    "voices_of",
]

OF_WHATSAPP: Final = re.compile(
    r"""end-to-end|end-til-end|ende-til-ende|ende-zu-ende|de\sbout\sen\sbout|extremo\sa\sextremo|extrem\sa\sextrem|
    ponta\sa\sponta|crittograf\w{1,20}\send|uçtan\suca|сквозн\w{1,20}\sшифр|наскрізн\w{1,20}\sшифр|端到端|端對端|
    エンドツーエンド|종단간|päästä\späähän|totalsträckskrypter|helt\skrypter|metodą\send|szyfrowan\w{1,20}\sod|
    koncov\w{1,5}\sšifrov|végpontok\sközötti|criptat\w{0,5}\sintegral|διατερματικ|ujung\ske\sujung|hujung\ske\shujung|
    đầu\scuối|ต้นทางถึงปลายทาง|מקצה\sלקצה|مشفرة|بين\sالطرفين|एंड-टू-एंड|전송\s?중|
    security\scode|sicherheitsnummer|código\sde\s(seguridad|segurança)|code\sde\ssécurité|codice\sdi\ssicurezza|
    beveiligingscode|kod\szabezpieczeń|güvenlik\skodu|код\sбезопасности|
    \b(created|changed|left|added|removed|joined|invited|pinned|renamed|deleted)\b.{0,60}\b(this\s)?(group|community|
    subject|icon|number|description|settings|message|timer|admin|link)\b|
    \bjoined\susing\b|\bdisappearing\smessages\b|\bis\snow\sa[n]?\s(admin|contact)\b|\bchanged\sto\s\+|
    \b(you're|you\sare)\snow\san\sadmin\b|\bblocked\sthis\scontact\b|\bbusiness\saccount\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""Words of its notices."""
DELETED: Final = re.compile(
    r"(this message was deleted|you deleted this message|this message was deleted by admin.{0,80}|"
    r"(diese|du hast diese) nachricht (wurde )?gelöscht|"
    r"ce message a été supprimé|vous avez supprimé ce message|(se eliminó|se ha eliminado) este mensaje|"
    r"eliminaste este mensaje|este mensaje fue eliminado|has eliminado este mensaje|"
    r"questo messaggio è stato eliminato|hai eliminato questo messaggio|mensagem apagada|esta mensagem foi apagada|"
    r"(você apagou|apagaste|eliminou) esta mensagem|(dit|je hebt dit) bericht (is |werd )?verwijderd|"
    r"данное сообщение удалено|вы удалили данное сообщение|сообщение удалено|"
    r"(це|ви видалили це) повідомлення( видалено)?|"
    r"(ta wiadomość została usunięta|usunięto tę wiadomość|usunąłeś tę wiadomość)|bu mesaj silindi|bu mesajı sildiniz|"
    r"(det här|detta) meddelandet? (har tagits bort|togs bort|raderades)|"
    r"du (raderade|tog bort) (det här|detta) meddelandet?|"
    r"denne (beskeden?|meldingen) (blev|ble) slettet|du slettede denne besked|du slettet denne meldingen|"
    r"tämä viesti poistettiin|poistit tämän viestin|tato zpráva byla (odstraněna|smazána)|táto správa bola odstránená|"
    r"ezt az üzenetet törölték|törölted ezt az üzenetet|acest mesaj a fost șters|ai șters acest mesaj|"
    r"αυτό το μήνυμα διαγράφηκε|διαγράψατε αυτό το μήνυμα|הודעה זו נמחקה|מחקת הודעה זו|تم حذف هذه الرسالة|"
    r"حذفت هذه الرسالة|لقد حذفت هذه الرسالة|यह (मैसेज|संदेश) (मिटाया|मिटा दिया|हटा दिया) गया( था)?|"
    r"このメッセージは削除されました|(このメッセージ|メッセージ)を削除しました|此消息已删除|你?您?已?删除了?此消息|"
    r"此訊息已刪除|你?您?已刪除此訊息|"
    r"삭제된 메시지입니다|메시지를 삭제했습니다|"
    r"pesan ini telah dihapus|anda (telah )?menghapus pesan ini|mesej ini telah dipadam|"
    r"tin nhắn này đã bị xóa|bạn đã xóa tin nhắn này|ข้อความนี้ถูกลบ(แล้ว)?|คุณลบข้อความนี้(แล้ว)?|null)[.।。]?",
    re.IGNORECASE,
)
EDITED: Final = re.compile(
    r"<[^<>\n]{0,40}(edited|bearbeitet|modifi|edit\w{1,20}|bewerkt|redig|muokat|edytow|uprav|szerkeszt|измен|змінен|"
    r"düzenlen|編集|编辑|編輯|수정|chỉnh sửa|แก้ไข|נערכ|تعديل|επεξεργ)[^<>\n]{0,30}>$|\u200e<[^<>\n:]{1,60}>$",
    re.IGNORECASE,
)
CALL: Final = re.compile(
    r"\b(?:missed|silenced|voice call|video call|group call|appels?|llamada|videollamada|chiamata|videochiamata|"
    r"chamada|ligação|apel|arama)\b|anruf|oproep|gesprek|opkald|samtal|anrop|puhelu|połączeni|hovor|hívás|звон|дзвін|κλήση|"
    r"שיחת|مكالمة|कॉल|通话|通話|통화|สายที่|cuộc gọi|panggilan",
    re.IGNORECASE,
)
"""A call that it notes as if somebody had written it; asked of what stands behind a mark only."""
OMITTED: Final = re.compile(
    r"omitted|weggelassen|ausgeschlossen|\babsente?s?\b|omis(es?)?\b|\bomitid[oa]s?\b|\bomess[oaie]\b|\bocultad[oa]s?\b|"
    r"\bomissis\b|escluso|esclusa|excluíd[oa]|weggelaten|utelämna|exkluder|udelad|udeladt|utelat|utelatt|ekskluder|"
    r"jätetty pois|poistettu|pominięt|vynechán|kihagyva|kimaradt|omis[ăe]?\b|пропущен|опущен|отсутству|исключ|вилуч|"
    r"εξαιρέθηκε|παραλείφθηκε|dahil edilmedi|atlandı|çıkarıldı|הושמט|לא נכלל|استبعاد|استثناء|إغفال|छोड़|शामिल नहीं|"
    r"省略|除外|含まれていません|生략|생략|제외|忽略|略去|未包含|ละเว้น|ไม่รวม|bị bỏ qua|đã bị ẩn|bỏ qua|"
    r"tidak disertakan|dihilangkan|dikecualikan|tidak termasuk|ditinggalkan",
    re.IGNORECASE,
)
"""What it says of a picture or the like that is not in the export."""
BY_PERSON: Final = re.compile(r"https?://|\n[^\n]")
"""A place, or a poll of several lines: what a person sent though WhatsApp wrote it."""
_LOOKED_AT: Final = 500
"""Characters of a notice that are looked at for names."""
_SHORT: Final = 5
"""Words of what stands for something left out."""


@dataclass(frozen=True)
class Voices:
    """Who writes in a chat."""

    names: frozenset[str] = frozenset()
    """Of all under whose name something stands."""
    silent: frozenset[str] = frozenset()
    """Those under whose names stand notices only: the group itself, or who never wrote."""
    phrases: frozenset[str] = frozenset()
    """What looks like a name and is the beginning of a notice ("Ann changed the subject to")."""
    repeated: frozenset[str] = frozenset()
    """Short texts behind a mark that stand under several names: they stand for something left out."""


NO_VOICES: Final = Voices()


def voices_of(said: Iterable[tuple[str, str, bool]]) -> Voices:
    """The voices of a chat, by who, what and whether behind a mark, of all its messages."""
    counts: Counter[str] = Counter()
    own: set[str] = set()
    notices: set[str] = set()
    short: dict[str, set[str]] = {}
    for sender, text, marked in said:
        counts[sender] += 1
        if not marked or OMITTED.search(text) or BY_PERSON.search(text) or DELETED.fullmatch(text):
            own.add(sender)
        elif len(text.split()) > _SHORT or OF_WHATSAPP.search(text):
            notices.add(sender)
        else:
            short.setdefault(text, set()).add(sender)
    names = frozenset(counts)
    phrases = frozenset(name for name in names if counts[name] == 1 and _is_phrase(name, names))
    repeated = frozenset(text for text, senders in short.items() if len(senders) > 1 and not has_name(text, names))
    return Voices(names - phrases, frozenset(notices - own), phrases, repeated)


def has_name(text: str, names: frozenset[str]) -> bool:
    """Whether a text has a name in it, as a word or the beginning of one."""
    words = text[:_LOOKED_AT].split()
    runs = (" ".join(words[start:end]) for start in range(len(words)) for end in range(start + 1, start + 6))
    return any(run.strip("“”„\"'’.,:") in names for run in runs if run)


def _is_phrase(name: str, names: frozenset[str]) -> bool:
    """Whether a name is that of another with words behind it that no name has."""
    words = name.split()
    for count in range(1, len(words) - 1):
        if " ".join(words[:count]) in names:
            return sum(1 for word in words[count:] if word[:1].islower()) > 1
    return False
