"""Who is attached keeps the daemon here, hears the news, and finds the next daemon when this one is gone."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from daemons import Served
from waiting import DEADLINE_S, until

from companion.api import News
from companion.client.finding import Address
from companion.client.stream import Attachment
from companion.errors import CompanionError
from companion.surfaces.http.lanes import READ


def attached(served: Served) -> int:
    return served.daemon.state().attached


def test_who_is_attached_hears_what_changes_in_its_repository_and_nothing_else(serving: Callable[..., Served]):
    served, heard = serving(), []
    attachment = Attachment(served.root, heard.append, lambda: served.unix)
    assert attachment.wait(DEADLINE_S)
    assert attached(served) == 1
    told = [News("refreshed", str(served.root), "1 file changed.", ("shop/cart.py",), n) for n in range(3)]
    for news in told:
        served.daemon.tell(news)
        served.daemon.tell(News("refreshed", "/another/repository"))
    until(lambda: len([one for one in heard if one in told]) == len(told))
    assert not [news for news in heard if news.root == "/another/repository"]
    attachment.close()
    until(lambda: attached(served) == 0)


def test_many_may_be_attached_without_a_thread_each(serving: Callable[..., Served]):
    served, before = serving(), set(threading.enumerate())
    attachments = [Attachment(served.root, lambda news: None, lambda: served.unix) for _ in range(20)]
    until(lambda: attached(served) == len(attachments))
    new = [thread for thread in threading.enumerate() if thread not in before and thread.name.startswith("http-")]
    assert len(new) <= READ.threads
    assert served.remote().stats().files
    for attachment in attachments:
        attachment.close()
    until(lambda: attached(served) == 0)


def test_a_daemon_that_ends_is_replaced_and_that_is_said_once(serving: Callable[..., Served]):
    first, heard, lost = serving(), [], []
    now: list[Served] = [first]
    asked: list[int] = []

    def reconnect() -> Address:
        asked.append(1)
        if not now:
            raise CompanionError("nobody is there", "wait")
        return now[0].unix

    attachment = Attachment(first.root, heard.append, reconnect, lost.append)
    assert attachment.wait(DEADLINE_S)
    now.clear()
    first.asked_to_stop()
    first.end()
    until(lambda: len(asked) > 3)
    now.append(serving())
    until(lambda: attached(now[0]) == 1)
    assert [news.what for news in heard] == ["leaving"]
    assert len(lost) == 1
    attachment.close()
    until(lambda: attached(now[0]) == 0)


def test_a_client_that_dies_is_attached_no_more(serving: Callable[..., Served]):
    served = serving()
    attachment = Attachment(served.root, lambda news: None, lambda: served.unix)
    assert attachment.wait(DEADLINE_S)
    assert attachment._lines is not None
    attachment._closed.set()
    attachment._lines.hang_up()
    until(lambda: attached(served) == 0)
    attachment.close()


def test_where_there_is_no_repository_nobody_is_attached(serving: Callable[..., Served], tmp_path: Path):
    served, lost = serving(), []
    attachment = Attachment(tmp_path, lambda news: None, lambda: served.unix, lost.append)
    until(lambda: bool(lost))
    assert "git" in lost[0]
    assert attached(served) == 0
    attachment.close()


def test_closing_while_the_daemon_is_sought_ends_the_thread(tmp_path: Path):
    def nobody() -> Address:
        raise CompanionError("nobody is there", "wait")

    attachment = Attachment(tmp_path, lambda news: None, nobody)
    attachment.close()
    assert not attachment._thread.is_alive()
