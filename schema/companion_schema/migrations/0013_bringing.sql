-- Talk that was held elsewhere and brought in: which assistants' logs may be read, how far each was, what was deleted.

alter table conversations add column if not exists unseen boolean default false;
comment on column conversations.unseen is 'Whether it was brought in and nobody has reviewed what it says since.';

create table talk_sources (
    name varchar primary key,
    allowed_at timestamp,
    ended_at timestamp
);
comment on table talk_sources is 'Assistants whose logs the user was asked about.';
comment on column talk_sources.name is 'claude-code, codex and the like: the source of the conversations.';
comment on column talk_sources.allowed_at is 'When the user agreed to their being read, UTC; null: never.';
comment on column talk_sources.ended_at is 'When the user took that back, UTC; null: it holds.';

create table talk_logs (
    source varchar not null,
    name varchar not null,
    path varchar not null,
    size bigint not null,
    changed_ns bigint not null,
    place bigint not null,
    digest varchar not null,
    facts json not null,
    turns integer not null,
    unplaced integer not null,
    checkouts varchar not null,
    why varchar not null,
    read_at timestamp not null,
    primary key (source, name)
);
comment on table talk_logs is 'How far each log of an assistant was read, so that reading goes on there.';
comment on column talk_logs.source is 'The assistant.';
comment on column talk_logs.name is 'What the log is known again by, wherever it lies.';
comment on column talk_logs.path is 'Where it lay.';
comment on column talk_logs.size is 'Its bytes when it was read to the end; -1: it was not.';
comment on column talk_logs.changed_ns is 'When it was changed last, in nanoseconds since 1970.';
comment on column talk_logs.place is 'The byte at which its last turn begins, where reading goes on.';
comment on column talk_logs.digest is 'Of its start and of what stands before that byte: another means that it was written anew.';
comment on column talk_logs.facts is 'What it had said of itself before that byte: session, folder, title.';
comment on column talk_logs.turns is 'How many turns were taken from it.';
comment on column talk_logs.unplaced is 'How many of its turns were left, since their folder is of no project that is known.';
comment on column talk_logs.checkouts is 'A digest of the folders that were known then: with others, it is looked at again.';
comment on column talk_logs.why is 'Why nothing, or not all, was taken from it.';
comment on column talk_logs.read_at is 'When, UTC.';

create table talk_gone (
    digest varchar primary key,
    gone_at timestamp not null
);
comment on table talk_gone is 'What the user deleted of talk that was brought in: it does not come in again.';
comment on column talk_gone.digest is 'Hash of the name that a conversation or a turn has outside.';
comment on column talk_gone.gone_at is 'When it was deleted, UTC.';
