-- What happened while someone worked, what was served meanwhile, and what was made ready beforehand.

create table events (
    checkout_id varchar not null,
    number bigint not null,
    noted_at timestamp not null,
    what varchar not null,
    path varchar not null default '',
    symbol varchar not null default '',
    line integer,
    unindexed boolean not null default false,
    errors integer not null default 0,
    warnings integer not null default 0,
    exit_code integer,
    branch varchar not null default '',
    people varchar[] not null default []
);
comment on table events is 'What was observed in a checkout, the newest of each kept; never the contents of a file.';
comment on column events.checkout_id is 'The checkout.';
comment on column events.number is 'Order in the checkout, from 1: the clock that interest decays by.';
comment on column events.noted_at is 'When it was noted, UTC.';
comment on column events.what is 'opened, selected, edited, saved, closed, diagnosed, ran, branch or arrived.';
comment on column events.path is 'The file, for touches and diagnostics; empty otherwise.';
comment on column events.symbol is 'Qualified name of the definition touched, where it is known.';
comment on column events.line is 'Line touched, from 1, where it is known.';
comment on column events.unindexed is 'Whether the file was not known to the index then: a new one.';
comment on column events.errors is 'Diagnostics of the gravest sort in the file, at that moment.';
comment on column events.warnings is 'All other diagnostics in the file, at that moment.';
comment on column events.exit_code is 'How a command ended; what was run is in the table of commands.';
comment on column events.branch is 'The branch checked out since, for branch; empty when detached.';
comment on column events.people is 'Names of other authors whose commits came in, for arrived.';

create table servings (
    checkout_id varchar not null,
    after_event bigint not null,
    noted_at timestamp not null,
    path varchar not null,
    items json not null
);
comment on table servings is 'Contexts that were served, the newest of each checkout: what they showed tells later what was of use.';
comment on column servings.checkout_id is 'The checkout.';
comment on column servings.after_event is 'The newest event at that moment.';
comment on column servings.noted_at is 'When, UTC.';
comment on column servings.path is 'The file at hand, empty if there was none.';
comment on column servings.items is 'The memories shown, as an object: id to the files it is about.';

create table prefetches (
    checkout_id varchar primary key,
    prepared bigint not null,
    served bigint not null,
    wasted bigint not null,
    prepared_ms double not null,
    wasted_ms double not null
);
comment on table prefetches is 'How often contexts were made before they were asked for, and with what result.';
comment on column prefetches.checkout_id is 'The checkout.';
comment on column prefetches.prepared is 'Contexts made ready.';
comment on column prefetches.served is 'Those of them that were asked for.';
comment on column prefetches.wasted is 'Those of them that were dropped before anybody asked.';
comment on column prefetches.prepared_ms is 'Milliseconds spent on all of them.';
comment on column prefetches.wasted_ms is 'Milliseconds spent on the wasted ones.';
