"""The words by which names of columns speak."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _pairs(text: str) -> Mapping[str, str]:
    """Words with what they stand for, in which `_` is a space."""
    pairs = (one.split("=") for one in text.split())
    return MappingProxyType({short: whole.replace("_", " ") for short, whole in pairs})


SHORT: Final = _pairs(
    """
    qty=quantity amt=amount dt=date nr=number nb=number num=number cnt=count cust=customer prod=product
    addr=address avg=average pct=percent perc=percent desc=description cat=category dept=department
    dep=department emp=employee yr=year mgr=manager inv=invoice acct=account acc=account lat=latitude
    lon=longitude lng=longitude temp=temperature tmp=temperature dur=duration dist=distance wt=weight
    ht=height org=organisation loc=location tel=telephone ts=timestamp dob=birth_date fname=first_name
    lname=last_name firstname=first_name lastname=last_name surname=last_name txn=transaction
    trx=transaction vol=volume min=minimum max=maximum std=standard rev=revenue grp=group pos=position
    """
)
"""Abbreviations."""
MONEY: Final = _pairs(
    """
    eur=euros €=euros euro=euros euros=euros usd=dollars $=dollars dollars=dollars gbp=pounds £=pounds
    chf=francs jpy=yen inr=rupees cad=dollars aud=dollars
    """
)
"""Currencies, by their codes and signs."""
SYNONYMS: Final = _pairs(
    """
    city=town town=city customer=client client=customer product=article employee=staff_member supplier=vendor
    revenue=turnover salary=pay occupation=job gender=sex film=movie movie=film country=nation
    duration=time_taken weight=mass genre=style teacher=instructor student=pupil car=automobile shop=store store=shop
    """
)
"""Other words that people use for a column."""
KEY: Final = _set(
    """
    code fk guid id identifier ids key no nr num number oid pk ref sk uuid
    """
)
"""What a key's name ends with."""
IDENTIFIERS: Final = _set(
    """
    barcode ean fips fk guid hash iban id identifier ids isbn key md5 numeric oid pk ref sha sk sku uuid
    """
)
"""What identifies, and is never added up."""
CODES: Final = _set(
    """
    code fax ip mobile no nr number phone plz postal postcode ssn telephone version zip zipcode
    """
)
"""Numbers that are no figures."""
NUMBERED: Final = _set(
    """
    account card case contract customer employee flight house id invoice item licence license line member mobile model
    order part passport phone reference registration room serial street telephone ticket track tracking
    """
)
"""Whose numbers are names: a ticket number, but not a female number."""
CLASSES: Final = _set(
    """
    aisle batch bed bin block category chapter class cluster code decade district edition floor fold gate
    generation grade group hour kind label lane level line month platform priority quarter rank room round
    season seat section sector severity shelf stage status target team tier track type version volume ward
    week weekday zone
    """
)
"""Numbers to group by."""
AVERAGED: Final = _set(
    """
    acidity age alcohol altitude angle average balance bpm brightness close concentration density depth
    diameter discount elevation fee_rate fraction frequency gpa grade height high hue humidity index
    intensity latitude length level longitude low magnitude margin_rate maximum mean median minimum open
    pace per percent percentage ph population power pressure price probability proportion pulse quality
    radius rank rate rating ratio salary score share size slope speed stock tax_rate temperature thickness
    velocity voltage wage width
    """
)
"""Figures that are averaged."""
SUMMED: Final = _set(
    """
    amount calories clicks cost count days distance duration energy expense expenses fare fee fees goals
    guests hours income minutes number orders paid passengers payment points precipitation profit quantity
    rain rainfall revenue riders sale sales spend sum tax tip tips total turnover units value views visitors
    visits volume weight worth yield
    """
)
"""Figures that are added up."""
FREE: Final = _set(
    """
    body comment comments description link message note notes remark remarks summary text url
    """
)
"""Texts that are read."""
PEOPLE: Final = _set(
    """
    actor agent artist author buyer clerk client coach contact customer director doctor donor driver
    employee guest host judge manager member nurse owner passenger patient people person player
    reviewer rider salesperson seller staff student teacher trainer user volunteer waiter winner worker
    """
)
PLACES: Final = _set(
    """
    address airport apiary area borough branch building campus canton city continent country county depot
    district field garden hospital hotel island library location market museum neighborhood neighbourhood
    office park place port province region resort restaurant room school shop site stadium state station
    stop store street suburb territory town venue village warehouse zone
    """
)
OTHER_TIMES: Final = _set(
    """
    arrival birth born built cancelled changed closed deadline death delivered delivery died due end ended
    expiration expires expiry finish finished founded hire hired joined last modified opened registered
    returned shipped shipping since until updated valid
    """
)
"""Times of something else than the fact."""
LEVELS: Final = _set(
    """
    apiary area branch brand category city class company continent country county department district
    division faculty family genre group industry kind label league line maker manufacturer parent province
    publisher region school section sector series state store store_type subject supplier team territory
    town type zone
    """
)
"""Members that are above others."""
SPANS: Final = _set(
    """
    delay duration elapsed length playtime ride run runtime spent time travel trip wait work
    """
)
"""What lasts: `min` after it are minutes."""
ENDS: Final = _set(
    """
    code date id key name numeric time type
    """
)
"""Ends of words that were run together."""
TIMES: Final = (
    "date",
    "day",
    "time",
    "timestamp",
    "datetime",
    "when",
    "start",
    "started",
    "begin",
    "began",
    "on",
    "at",
    "created",
    "ordered",
    "sold",
    "visited",
    "played",
    "recorded",
    "observed",
    "placed",
)
"""Times of the fact; the first eight end its name."""
