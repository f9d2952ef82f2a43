"""One name for a remote, however its address is written."""

from __future__ import annotations

import pytest

from companion.signals.git.checkout import normalised_remote


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://ana:token@Example.org:8443/Team/Shop.git", "example.org/team/shop"),
        ("git@example.org:team/shop.git", "example.org/team/shop"),
        ("https://example.org/shop/.git", "example.org/shop"),
        ("https://example.org/.git", "example.org/.git"),
        ("file://server/share/shop.git", ""),
        ("https://[broken/shop", ""),
        ("https://example.org/", ""),
        ("../shop", ""),
    ],
)
def test_an_address_has_the_name_of_its_host_and_path_and_a_local_one_has_none(address: str, name: str) -> None:
    assert normalised_remote(address) == name
