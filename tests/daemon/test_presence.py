"""Who is here, and when the daemon may leave."""

from __future__ import annotations

import threading

from companion.api import News
from companion.daemon.news import NewsFeed
from companion.daemon.presence import Presence


def test_it_leaves_once_when_nobody_came():
    left = threading.Event()
    presence = Presence(0.0, left.set)
    presence.start()
    assert left.wait(10)
    presence.close()


def test_it_stays_while_somebody_asks_is_attached_or_works_and_leaves_after_the_last():
    left = threading.Event()
    presence = Presence(0.0, left.set)
    with presence.attached():
        with presence.asked(), presence.working():
            presence.start()
        assert not left.wait(0.05)
        assert presence.counts == (1, 1)
    assert left.wait(10)
    presence.close()


def test_closing_ends_the_thread_without_leaving():
    left = threading.Event()
    others = set(threading.enumerate())
    presence = Presence(3_600.0, left.set)
    presence.start()
    presence.close()
    assert not left.is_set()
    assert not set(threading.enumerate()) - others


def test_quiet_tells_whether_answers_are_still_being_made():
    presence = Presence(3_600.0, lambda: None)
    with presence.asked():
        assert not presence.quiet(0.01)
    assert presence.quiet(0.01)


def test_news_reach_those_who_listen_to_the_checkout_and_news_for_all_reach_everyone():
    news_feed = NewsFeed()
    shop: list[News] = []
    bank: list[News] = []
    with news_feed.listening("/shop", shop.append), news_feed.listening("/bank", bank.append):
        news_feed.tell(News("refreshed", "/shop"))
        news_feed.tell(News("leaving", ""))
    news_feed.tell(News("refreshed", "/shop"))
    assert [news.what for news in shop] == ["refreshed", "leaving"]
    assert [news.what for news in bank] == ["leaving"]


def test_a_listener_that_fails_harms_no_other():
    news_feed = NewsFeed()
    heard: list[News] = []

    def fail(_: News) -> None:
        raise RuntimeError("hung up")

    with news_feed.listening("/shop", fail), news_feed.listening("/shop", heard.append):
        news_feed.tell(News("refreshed", "/shop"))
    assert len(heard) == 1


def test_what_needs_nobody_about_is_done_only_then_and_who_comes_meanwhile_waits_for_its_end():
    presence = Presence(3_600.0, lambda: None)
    done: list[str] = []

    def come() -> None:
        with presence.asked():
            done.append("asked")

    def act() -> None:
        coming.start()
        coming.join(0.05)
        done.append("acted")

    coming = threading.Thread(target=come)
    with presence.working():
        with presence.asked():
            assert not presence.undisturbed(act)
        assert presence.undisturbed(act)
    coming.join(60)
    assert done == ["acted", "asked"]
