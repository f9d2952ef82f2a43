-- What a night changed and why, what it found out, and how each change is taken back.

alter table memories add column if not exists offered_level varchar default 'full';
alter table memories add column if not exists warmth varchar default 'hot';
alter table memories add column if not exists usefulness double default 0;
alter table contradictions add column if not exists judge varchar default '';
comment on column contradictions.judge is 'Who found it: name and version; empty: equal keys with other values.';
comment on column memories.offered_level is 'The longest level that a context offers unasked: full, summary, compressed or index.';
comment on column memories.warmth is 'hot, warm or cold: how lately it was used or born, in days of work. Orders candidates, hides nothing.';
comment on column memories.usefulness is 'What its use says of it, -1 to 1; moved by the night alone.';

create table night_runs (
    id varchar primary key,
    number integer not null,
    project_id varchar not null,
    asked_by varchar not null,
    state varchar not null check (state in ('planning', 'planned', 'applying', 'applied', 'undone', 'discarded')),
    passes varchar[] not null,
    since timestamp,
    planned_at timestamp not null,
    started_at timestamp,
    ended_at timestamp,
    undone_at timestamp,
    figures json
);
comment on table night_runs is 'Each night: planned, then applied, and perhaps undone.';
comment on column night_runs.id is 'Tagged n1.';
comment on column night_runs.number is 'Counts the nights of the store, from 1: their order whatever the clock says.';
comment on column night_runs.project_id is 'The project.';
comment on column night_runs.asked_by is 'command, schedule, idle or http.';
comment on column night_runs.state is 'planning, planned, applying, applied, undone or discarded.';
comment on column night_runs.passes is 'Names of the passes that were asked for, in their order.';
comment on column night_runs.since is 'Only memories learned or changed since then were looked at, UTC; null: all.';
comment on column night_runs.planned_at is 'When it was planned, UTC.';
comment on column night_runs.started_at is 'When applying began, UTC.';
comment on column night_runs.ended_at is 'When applying ended, UTC.';
comment on column night_runs.undone_at is 'When all of it was undone, UTC.';
comment on column night_runs.figures is 'What each pass counted: seconds, tokens saved, what was refused.';

create table night_changes (
    run_id varchar not null,
    number integer not null,
    pass varchar not null,
    what varchar not null,
    change json not null,
    reason varchar not null,
    memories varchar[] not null,
    expected varchar[] not null,
    state varchar not null check (state in ('planned', 'applied', 'refused', 'undone')),
    why_not varchar not null default '',
    applied_at timestamp,
    undone_at timestamp,
    primary key (run_id, number)
);
comment on table night_changes is 'The journal: every change of a night with its reason, in the order of application.';
comment on column night_changes.run_id is 'The night.';
comment on column night_changes.number is 'Order within the night, from 1.';
comment on column night_changes.pass is 'The pass that proposed it.';
comment on column night_changes.what is 'Name of the record, e.g. Merge.';
comment on column night_changes.change is 'The record.';
comment on column night_changes.reason is 'Why, in a sentence.';
comment on column night_changes.memories is 'Ids of the memories it touches.';
comment on column night_changes.expected is 'Digest of each of them when the change was planned, in the same order.';
comment on column night_changes.state is 'planned, applied, refused or undone.';
comment on column night_changes.why_not is 'Why it was refused, or could not be undone.';
comment on column night_changes.applied_at is 'When it was applied, UTC.';
comment on column night_changes.undone_at is 'When it was undone, UTC.';

create table night_rows (
    run_id varchar not null,
    number integer not null,
    table_name varchar not null,
    row_key varchar not null,
    before json,
    after json
);
comment on table night_rows is 'What each change replaced: rows of tables, as they were before and after.';
comment on column night_rows.run_id is 'The night.';
comment on column night_rows.number is 'The change.';
comment on column night_rows.table_name is 'The table; digest: what a memory''s digest became, for later changes of the night.';
comment on column night_rows.row_key is 'What tells the row from others of its table: its key, parts split by chr(31).';
comment on column night_rows.before is 'The changed columns as they were; null: there was no such row.';
comment on column night_rows.after is 'The changed columns as they became; null: the row is gone.';

create table night_digests (
    run_id varchar not null,
    memory_id varchar not null,
    digest varchar not null,
    use varchar not null
);
comment on table night_digests is 'What every memory was when the planning of a night began; emptied when the plan is complete.';
comment on column night_digests.run_id is 'The night.';
comment on column night_digests.memory_id is 'The memory.';
comment on column night_digests.digest is 'MD5 of what it says, where it holds and how it stands.';
comment on column night_digests.use is 'How often it was served and cited, and when last.';

create table memory_links (
    project_id varchar not null,
    relation varchar not null,
    a varchar not null,
    b varchar not null,
    score double not null,
    reason varchar not null,
    found_at timestamp not null,
    primary key (project_id, relation, a, b)
);
comment on table memory_links is 'What memories have to do with one another.';
comment on column memory_links.project_id is 'The project.';
comment on column memory_links.relation is 'same file, co-change, same entity, near, fixed by or supersedes.';
comment on column memory_links.a is 'The one memory; for relations without direction the smaller id.';
comment on column memory_links.b is 'The other memory.';
comment on column memory_links.score is 'How strong, 0 to 1.';
comment on column memory_links.reason is 'Why, in a few words.';
comment on column memory_links.found_at is 'When it was found, UTC.';

create table aliases (
    project_id varchar not null,
    entity varchar not null,
    stands_for varchar not null,
    reason varchar not null,
    found_at timestamp not null,
    primary key (project_id, entity)
);
comment on table aliases is 'Entities that are spelled in several ways: each variant and the one it stands for.';
comment on column aliases.project_id is 'The project.';
comment on column aliases.entity is 'The variant, a key type:slug.';
comment on column aliases.stands_for is 'The entity it is; never itself a variant.';
comment on column aliases.reason is 'How that is known.';
comment on column aliases.found_at is 'When it was found, UTC.';

create table rulings (
    pair_hash varchar not null,
    judge varchar not null,
    contradict boolean,
    confidence double not null,
    reason varchar not null,
    ruled_at timestamp not null,
    primary key (pair_hash, judge)
);
comment on table rulings is 'What judges said of pairs of statements, kept by content so that no pair is judged twice.';
comment on column rulings.pair_hash is 'Hash of both statements with their scopes and times, in order.';
comment on column rulings.judge is 'Name and version of the judge.';
comment on column rulings.contradict is 'Whether the two cannot both hold; null: the judge could not say.';
comment on column rulings.confidence is 'How sure, 0 to 1.';
comment on column rulings.reason is 'Why, in a sentence.';
comment on column rulings.ruled_at is 'When, UTC.';

create table rewordings (
    text_hash varchar not null,
    model varchar not null,
    tries integer not null,
    why_not varchar not null default '',
    tried_at timestamp not null,
    primary key (text_hash, model)
);
comment on table rewordings is 'What asking a language model for better words came to, so that nothing is asked twice a night. No texts.';
comment on column rewordings.text_hash is 'Hash of the full text that it was shown.';
comment on column rewordings.model is 'What the endpoint calls the model.';
comment on column rewordings.tries is 'How often it was asked about this text.';
comment on column rewordings.why_not is 'Why its last answer was not used; empty: it was.';
comment on column rewordings.tried_at is 'When it was last asked, UTC.';
