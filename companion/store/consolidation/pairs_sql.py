"""Statements that find pairs of statements which could contradict one another."""

from __future__ import annotations

FACTS = """
create temp table pair_facts as
select
    row_number() over (order by created_at, id) as n,
    id, attribute, source, origin, persona,
    split_part(learner, '@', 2) as checkout,
    lower(concat_ws(chr(31), subject, attribute)) as slot,
    lower(regexp_replace(trim(value), '\\s+', ' ', 'g')) as said,
    content_summary,
    scope_language, scope_path, scope_environment, scope_version, scope_branch,
    coalesce(valid_from, '-infinity'::timestamp) as valid_from,
    coalesce(valid_to, 'infinity'::timestamp) as valid_to,
    created_at >= coalesce($since, created_at) as asked,
    md5(concat_ws(
        chr(31), type, subject, attribute, value, left(content_full, $characters), learner, source, origin,
        scope_language, scope_path, scope_environment, scope_version, scope_branch,
        coalesce(valid_from::varchar, ''), coalesce(valid_to::varchar, '')
    )) as digest
from memories
where project_id = $project
    and kind = 'fact'
    and status = 'active'
    and superseded_by = ''
    and (type <> 'decision' or coalesce(json_extract_string(body, '$.status'), '') = 'in force')
    and ($everything or id in (select unnest($among::varchar[])))
    and id not in (select unnest($without::varchar[]))
"""

ARRIVED = """
select id, left(content_full, $characters)
from memories
where project_id = $project
    and kind = 'fact'
    and status = 'active'
    and created_at >= $since
order by id
limit $limit
"""

SLOT_MATES = """
select id
from memories
where project_id = $project
    and kind = 'fact'
    and status = 'active'
    and attribute <> ''
    and (subject, attribute) in (
        select (subject, attribute)
        from memories
        where id in (select unnest($ids::varchar[]))
    )
order by created_at desc, id
limit $limit
"""

FOUND = """
create temp table pair_found (
    a bigint,
    b bigint,
    same_slot boolean,
    nearness double,
    filled double default 0
)
"""

SAME_SLOT = """
insert into pair_found (a, b, same_slot, nearness)
with newest as (
    select *
    from pair_facts
    where attribute <> ''
    qualify row_number() over (partition by slot, scope_path order by n desc) <= $most
)
select older.n, newer.n, true, 1
from newest as older
join newest as newer
    on newer.slot = older.slot
    and newer.scope_path = older.scope_path
    and newer.n > older.n
where newer.said <> older.said
    and (newer.asked or older.asked)
"""

SAME_WORDS = """
insert into pair_found (a, b, same_slot, nearness)
with words as (
    select distinct
        n,
        regexp_replace(
            unnest(regexp_extract_all(lower(content_summary), '[\\p{L}_][\\p{L}\\p{N}_]{2,}')),
            '(ations?|ing|ed|es|s)$', ''
        ) as word
    from pair_facts
),
rare as (
    select word, ln(1 + $common / count(*)) as weight
    from words
    group by word
    having count(*) between 2 and $common
),
known as (
    select n, word, weight, attribute = '' as free, asked
    from words
    join rare using (word)
    join pair_facts using (n)
    qualify row_number() over (partition by n order by weight desc, word) <= $rare
),
shared as (
    select one.n as one, other.n as other, sum(one.weight) as weight
    from known as one
    join known as other
        on other.word = one.word
        and other.n <> one.n
    where one.asked
        and (one.free or other.free)
    group by one.n, other.n
    qualify row_number() over (partition by one.n order by sum(one.weight) desc, other.n desc) <= $nearest
)
select least(one, other), greatest(one, other), false, max(weight) / 100
from shared
group by least(one, other), greatest(one, other)
"""

FILLED = """
create temp table pair_filled as
with spellings as (
    select unnest($first::varchar[]) as first, unnest($rest::varchar[]) as rest,
        unnest($slot::varchar[]) as chosen, unnest($value::varchar[]) as value
),
texts as (
    select n, regexp_extract_all(lower(content_summary), $word) as words
    from pair_facts
),
spoken as (
    select n, unnest(list_zip(words, words[2:], words[3:])) as said
    from texts
)
select distinct n, chosen, value
from spoken
join spellings on first = said[1] and rest in ('', said[2], concat_ws(' ', said[2], said[3]))
"""
"""The slots that a text gives a value to: what is chosen, and how."""

FILLED_OTHERWISE = """
insert into pair_found
with fitting as (
    select n, chosen, value, asked, attribute = '' as free, source = 'scan' as read
    from pair_filled
    join pair_facts using (n)
    qualify row_number() over (partition by chosen, value order by n desc) <= $of_a_value
),
known as (
    select
        *, 1 / count(*) over (partition by chosen) as weight,
        if(count(*) over (partition by chosen) <= $few, weight, 0) as filled
    from fitting
),
met as (
    select one.n as one, other.n as other, sum(one.weight) as weight,
        sum(if(one.read and other.read, 0, one.filled)) as filled
    from known as one
    join known as other
        on other.chosen = one.chosen
        and other.n <> one.n
        and other.value <> one.value
    where one.asked
        and (one.free or other.free)
    group by one.n, other.n
    qualify row_number() over (partition by one.n order by sum(one.weight) desc, other.n desc) <= $most
)
select least(one, other), greatest(one, other), false, $nearness::double, max(filled)
from met
group by least(one, other), greatest(one, other)
"""

FORGET_TEXTS = "alter table pair_facts drop column content_summary"
"""Once words were shared: what is left of a memory is small, and half a million pairs carry it twice."""

NEAR = """
insert into pair_found (a, b, same_slot, nearness)
select least(a.n, b.n), greatest(a.n, b.n), false, near.cosine
from near_pairs as near
join pair_facts as a on a.id = near.a
join pair_facts as b on b.id = near.b
where (a.attribute = '' or b.attribute = '')
    and (a.asked or b.asked)
"""

CANDIDATES = """
with pairs as (
    select a, b, bool_or(same_slot) as same_slot, max(nearness) as nearness, max(filled) as filled
    from pair_found
    group by a, b
),
both_sides as materialized (
    select older, newer, same_slot, nearness, filled
    from pairs
    join pair_facts as older on older.n = pairs.a
    join pair_facts as newer on newer.n = pairs.b
),
meeting as (
    select
        older.id as a, newer.id as b, same_slot, nearness, filled, newer.n as n, older.n as m,
        md5(older.digest || newer.digest) as pair_hash,
        'x1' || left(sha256(least(older.id, newer.id) || chr(31) || greatest(older.id, newer.id)), 30) as pair_id
    from both_sides
    where older.persona = newer.persona
        and not (older.source = 'scan' and newer.source = 'scan' and older.origin = newer.origin)
        and (older.checkout = '' or newer.checkout in ('', older.checkout))
        and older.valid_from < newer.valid_to
        and newer.valid_from < older.valid_to
        and (older.scope_language = '' or newer.scope_language in ('', older.scope_language))
        and (older.scope_environment = '' or newer.scope_environment in ('', older.scope_environment))
        and (older.scope_version = '' or newer.scope_version in ('', older.scope_version))
        and (older.scope_branch = '' or newer.scope_branch in ('', older.scope_branch))
        and (
            older.scope_path in ('', newer.scope_path)
            or newer.scope_path = ''
            or starts_with(newer.scope_path, older.scope_path || '/')
            or starts_with(older.scope_path, newer.scope_path || '/')
        )
)
select
    meeting.a, meeting.b, meeting.pair_hash, meeting.filled as slot,
    rulings.contradict, rulings.confidence, rulings.reason
from meeting
left join rulings
    on rulings.pair_hash = meeting.pair_hash
    and rulings.judge = $judge
left join contradictions
    on contradictions.id = meeting.pair_id
where (rulings.pair_hash is null or rulings.contradict or (meeting.filled > 0 and not rulings.contradict))
    and (contradictions.id is null or starts_with(contradictions.note, $by_itself))
qualify row_number() over (order by same_slot desc, nearness desc, n desc, m desc) <= $limit
order by same_slot desc, nearness desc, n desc, m desc
"""
"""Both sides of each pair are put together before anything is compared: two personas alike are no reason to
bring two memories together, and the optimiser would. Pairs are counted and not limited: `order by … limit` over
these joins gave all 188,356 for a limit of 12,000 (DuckDB 2.0.0)."""

FORGET_TABLES = (
    "drop table if exists temp.pair_found",
    "drop table if exists temp.pair_filled",
    "drop table if exists temp.pair_facts",
)

STATEMENTS = """
select
    id, left(content_full, $characters) as text,
    scope_language, scope_path, scope_environment, scope_version, scope_branch,
    if(attribute <> '', subject, if(source <> 'scan' and label <> 'convention', label, '')) as subject,
    attribute, if(attribute <> '', value, '') as value,
    if(
        source in ('by-hand', 'shadow-extraction', 'curated-fold') and not starts_with(origin, 'assistant '),
        'person', concat_ws(' ', source, learner, origin)
    ) as said_by,
    valid_from, valid_to, coalesce(valid_from, created_at) as said_at,
    pinned or (type = 'decision' and coalesce(json_extract_string(body, '$.status'), '') = 'in force') as fixed
from memories
where id in (select unnest($ids::varchar[]))
"""
"""What free text is about is its label, if somebody told it; what a reading is labelled with is a sort of memory.
What a person wrote, and what they confirmed of a conversation, one person said."""
