"""The languages that a recipe may name are those that the filter can tell apart."""

from __future__ import annotations

import pytest
from py3langid.langid import MODEL_FILE, LanguageIdentifier

from curation.errors import InputError
from curation.languages import LANGUAGES
from curation.recipe import filter_section


def test_every_label_of_the_identifier_is_known() -> None:
    labels = set(map(str, LanguageIdentifier.from_model_file(MODEL_FILE).nb_classes))
    assert labels - LANGUAGES == {"zxx"}
    assert not LANGUAGES - labels


@pytest.mark.parametrize("languages", [("en", "english"), ("EN",), ("",), ()])
def test_other_codes_are_refused(languages: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match="languages"):
        filter_section({"languages": languages})
