"""The door lets out what is project-shared and nothing of one's own; what it would not let out is not let in."""

from __future__ import annotations

from datetime import datetime

import pytest
from msgspec.structs import replace

from companion.adapters.secrets import SecretRedactor
from companion.errors import UsageError
from companion.records import (
    Artifact,
    ArtifactKind,
    Draft,
    Episode,
    EpisodeType,
    Evidence,
    EvidenceKind,
    Failure,
    Importance,
    JudgeVerdict,
    Kind,
    Levels,
    Resolution,
    Source,
    Visibility,
    Workflow,
    memory_key,
)
from companion.records.team import SharedResolution, SharedVerdict, SharedVersion, Withdrawal
from companion.team.door import version_of, why_refused
from companion.team.text import record_id, written

ADA = "Ada <ada@example.org>"
NOW = datetime(2026, 3, 3, 9)
KEY = "AKIA" + "J7QZ4WX2NBVL5RTP"
REDACTOR = SecretRedactor()


def draft(text: str = "We use make", **given: object) -> Draft:
    levels = Levels(text, text, text, text[:50])
    said = Draft(Kind.FACT, "fact", "note", "", text, levels, "by-hand", source=Source.BY_HAND)
    return replace(said, **given)


def let_out(one: Draft) -> SharedVersion:
    return version_of(one, ADA, NOW, REDACTOR, folders={"/home/ada/shop/": "", "/home/ada": "~"})


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"source": Source.SCAN}, "every clone"),
        ({"source": Source.SEEDED}, "one person"),
        ({"visibility": Visibility.USER_PRIVATE}, "private"),
        ({"visibility": Visibility.SYSTEM}, "private"),
        ({"persona": "mira"}, "mira"),
        ({"origin": "team:Ben <ben@example.org>"}, "somebody else"),
        ({"kind": Kind.EPISODE, "type": EpisodeType.ERROR}, "errors"),
        ({"kind": Kind.EPISODE, "body": Failure("f", "E", "m")}, "errors"),
        ({"kind": Kind.PATTERN, "type": ""}, "patterns"),
        ({"evidence": (Evidence(EvidenceKind.COMMAND, "make secret"),)}, "commands"),
    ],
)
def test_what_is_not_for_others_stays_and_says_why(given: dict[str, object], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        let_out(draft(**given))


def test_secrets_machine_paths_people_quotes_and_talks_stay_at_the_door() -> None:
    said = draft(
        f"Deploy with {KEY} from /home/ada/shop/tools/deploy.sh as /home/ada/.netrc says",
        evidence=(
            Evidence(EvidenceKind.CONVERSATION, "c1", 3, "a private quote"),
            Evidence(EvidenceKind.PERSON, "person:bo"),
            Evidence(EvidenceKind.FILE, "/etc/passwd", 1, "another quote"),
            Evidence(EvidenceKind.FILE, "tools/deploy.sh", 7, "a third quote"),
            Evidence(EvidenceKind.COMMIT, "a" * 40),
        ),
        entities=("person:bo", "act:house", "file:tools/deploy.sh", "file:ada/shop/tools/deploy.sh", "topic:deploy"),
        artifacts=(Artifact(ArtifactKind.FILE, "/home/ada/notes.txt"), Artifact(ArtifactKind.ISSUE, "#17")),
        body=Episode("A deployment", NOW, ("Bo Private",)),
        pinned=True,
        importance=Importance.CRITICAL,
    )
    version = let_out(said)
    text = written(version)
    for private in (
        KEY,
        "/home/ada",
        "private quote",
        "another quote",
        "third quote",
        "c1",
        "person:bo",
        "Bo Private",
        "act:house",
        "passwd",
        "ada/shop",
    ):
        assert private not in text.replace("ada@example.org", ""), private
    assert version.draft.evidence == (
        Evidence(EvidenceKind.FILE, "tools/deploy.sh", 7),
        Evidence(EvidenceKind.COMMIT, "a" * 40),
    )
    assert version.draft.entities == ("file:tools/deploy.sh", "topic:deploy")
    assert version.draft.artifacts == (Artifact(ArtifactKind.ISSUE, "#17"),)
    assert (version.draft.pinned, version.draft.importance) == (False, Importance.SIGNIFICANT)
    assert why_refused(version, REDACTOR) == ""


def test_words_inside_bodies_are_redacted_too() -> None:
    steps = draft(kind=Kind.WORKFLOW, type="", body=Workflow("deploy", (f"login {KEY}",), {f"login {KEY}": KEY}))
    assert KEY not in written(let_out(steps))


def test_the_key_of_a_version_is_the_same_in_every_store() -> None:
    version = let_out(draft())
    assert version.key == memory_key(version.draft, "")


def shared(**given: object) -> SharedVersion:
    return replace(let_out(draft()), **given)


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (shared(author="Ada"), "author"),
        (shared(author="A“da <a@b>"), "author"),
        (shared(author="Ada\n<a@b>"), "author"),
        (shared(made_at=datetime.max), "dated"),
        (shared(made_at=datetime.min), "dated"),
        (Withdrawal("a" * 32, ADA, datetime(2200, 1, 1)), "dated"),
        (shared(replaces=("x",)), "names versions"),
        (shared(key="0" * 32), "about something else"),
        (shared(draft=replace(let_out(draft()).draft, pinned=True)), "no version has"),
        (shared(draft=replace(let_out(draft()).draft, source=Source.SCAN)), "every clone"),
        (let_out(draft("x" * 20_001)), "characters"),
        (Withdrawal("x", ADA, NOW), "no version"),
        (SharedResolution("b" * 32, "a" * 32, Resolution.A_WINS, ADA, NOW), "no two versions"),
        (SharedResolution("a" * 32, "b" * 32, Resolution.A_WINS, ADA, NOW, f"see {KEY}"), "secret"),
        (SharedVerdict("a" * 32, "a" * 32, JudgeVerdict.SAME, ADA, NOW), "no two versions"),
        (SharedVerdict("a" * 32, "b" * 32, JudgeVerdict.JUNK, ADA, NOW), "nothing of two"),
        (SharedVerdict("a" * 32, "b" * 32, JudgeVerdict.UNSURE, ADA, NOW), "nothing of two"),
    ],
)
def test_what_the_door_would_not_have_let_out_is_not_let_in(record: object, why: str) -> None:
    assert why in why_refused(record, REDACTOR)  # type: ignore[arg-type]


def test_a_secret_that_somebody_wrote_into_a_file_is_not_let_in() -> None:
    bad = draft(f"The key is {KEY}", origin="")
    assert "secret" in why_refused(SharedVersion(memory_key(bad, ""), bad, ADA, NOW), REDACTOR)


def test_what_is_right_is_let_in() -> None:
    told = let_out(draft())
    back = Withdrawal(record_id(told), ADA, NOW)
    resolved = SharedResolution("a" * 32, "b" * 32, Resolution.A_WINS, ADA, NOW, "as agreed")
    judged = SharedVerdict("a" * 32, "b" * 32, JudgeVerdict.BESIDE, ADA, NOW, by_person=True)
    assert [why_refused(one, REDACTOR) for one in (told, back, resolved, judged)] == [""] * 4
