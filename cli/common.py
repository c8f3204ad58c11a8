"""What the commands share: where the store and the settings are, what time it is."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

from pydantic import SecretStr

from ..config import Settings, load_settings, with_access
from ..config.parts import EARLIEST, LATEST
from ..errors import UsageError
from .options import chosen_domain, chosen_workers


def store_directory(given: Path | None) -> Path:
    """The store's folder: as given, else in the user's data folder, where every domain has its own."""
    if given is not None:
        return given
    from platformdirs import user_data_path

    domain = chosen_domain()
    if domain is None:
        return user_data_path("reqap-kg") / "store"
    from ..engine.authoring.domain import load_domain

    return user_data_path("reqap-kg") / "domains" / load_domain(domain).name


def settings(given: Path | None) -> Settings:
    """The settings file as given, else the one in the user's configuration folder, else the defaults."""
    if given is not None and not given.is_file():
        raise UsageError(f"there is no settings file {given}")
    if given is None:
        from platformdirs import user_config_path

        given = user_config_path("reqap-kg") / "config.toml"
    found = load_settings(given)
    found = with_access(_with_key(found), os.environ).model_copy(update=dict(chosen_workers()))
    if found.causal_model is not None and found.models_folder is None:
        found = found.model_copy(update={"models_folder": models_folder(found)})
    domain = chosen_domain()
    return found if domain is None else found.model_copy(update={"domain": domain})


def models_folder(given: Settings) -> Path:
    """Where weights are put: as the settings say, else in the user's data folder."""
    from platformdirs import user_data_path

    return given.models_folder or user_data_path("reqap-kg") / "models"


def _with_key(given: Settings) -> Settings:
    """The settings with the language model's key from the environment variable that they name."""
    chosen = given.language_model
    if chosen.key_env is None:
        return given
    key = os.environ.get(chosen.key_env)
    if key is None:
        raise UsageError(f"the environment has no {chosen.key_env}, which [language_model] key_env names")
    return given.model_copy(update={"language_model": chosen.model_copy(update={"key": SecretStr(key)})})


def time_of(given: str | None) -> datetime:
    """Wall-clock time of asking: as given, else the clock's."""
    if given is None:
        return datetime.now()
    try:
        found = datetime.fromisoformat(given).replace(tzinfo=None)
    except ValueError as bad:
        raise UsageError(f"--now {given!r} is not a date-time; expected e.g. 2025-03-01T12:00:00") from bad
    if not EARLIEST <= found.year <= LATEST:  # years are counted back and forth from now
        raise UsageError(f"--now {given!r} is no time to ask at; expected a year from {EARLIEST} to {LATEST}")
    return found


def machine_zone() -> str:
    """IANA name of this machine's time zone."""
    from tzlocal import get_localzone_name

    return os.environ.get("TZ") or get_localzone_name() or "UTC"


def moment(value: str | None) -> str:
    """An event's start for a table: to the minute."""
    return (value or "").replace("T", " ")[:16]
