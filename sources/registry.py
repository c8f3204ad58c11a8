"""All export formats that are read. The readers are imported when the first file is looked at, not before."""

from __future__ import annotations

from functools import cache

from .base import Format

__all__ = ["format_named", "formats"]


@cache
def formats() -> tuple[Format, ...]:
    """Every format, in the order in which equal scores are decided."""
    # Imported here, so that a command that reads no export does not wait for the parsers.
    from . import amazon, mastodon, profile, x
    from .calendars import icalendar
    from .chats import chat_json, chatgpt, dialogue, discord_package, people, whatsapp
    from .json import keyvalue
    from .mails import mail
    from .media import (
        apple_music,
        goodreads,
        google_activity,
        kindle,
        lastfm,
        letterboxd,
        listenbrainz,
        storygraph,
        trakt,
    )
    from .money import bank_csv, camt, ofx, paypal
    from .moving import apple_health, fit, fitbit, garmin, google_fit, gpx, strava, tcx
    from .notes import keep, markdown
    from .places import google_location, google_timeline, owntracks, positions_csv, swarm
    from .streaming import netflix, spotify

    return (
        profile.FORMAT,
        icalendar.FORMAT,
        mail.FORMAT,
        *spotify.FORMATS,
        *netflix.FORMATS,
        amazon.FORMAT,
        apple_health.FORMAT,
        strava.FORMAT,
        garmin.FORMAT,
        gpx.FORMAT,
        google_fit.FORMAT,
        tcx.FORMAT,
        fit.FORMAT,
        fitbit.FORMAT,
        mastodon.FORMAT,
        x.FORMAT,
        google_activity.FORMAT,
        goodreads.FORMAT,
        lastfm.FORMAT,
        letterboxd.FORMAT,
        kindle.FORMAT,
        storygraph.FORMAT,
        trakt.FORMAT,
        listenbrainz.FORMAT,
        apple_music.FORMAT,
        keep.FORMAT,
        dialogue.FORMAT,
        whatsapp.FORMAT,
        chatgpt.FORMAT,
        people.FORMAT,
        discord_package.FORMAT,
        chat_json.FORMAT,
        google_location.FORMAT,
        google_timeline.FORMAT,
        owntracks.FORMAT,
        swarm.FORMAT,
        positions_csv.FORMAT,
        ofx.FORMAT,
        camt.FORMAT,
        paypal.FORMAT,
        bank_csv.FORMAT,
        keyvalue.FORMAT,
        markdown.FORMAT,
    )


def format_named(name: str) -> Format | None:
    """The format of that name, or None."""
    return next((form for form in formats() if form.name == name), None)
