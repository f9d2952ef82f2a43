-- The report of a consolidation run stays as it was: what its memories said, what asked for a decision, what was noted.

alter table night_runs add column if not exists notes varchar[];
alter table night_changes add column if not exists said json;
comment on column night_runs.notes is 'What was to be said of the whole run, in sentences.';
comment on column night_changes.said is 'What its memories said when it was planned, for the changes that a report shows; null: not kept, or erased.';

create table night_decisions (
    run_id varchar not null,
    place integer not null,
    ref varchar not null,
    memories varchar[] not null,
    confidence double not null,
    reason varchar not null,
    said json not null,
    primary key (run_id, place)
);
comment on table night_decisions is 'What waited for a person''s decision when a run ended, or was planned: the few most worth it.';
comment on column night_decisions.run_id is 'The run.';
comment on column night_decisions.place is 'From 1, what is most worth deciding first.';
comment on column night_decisions.ref is 'The contradiction (x1) or the question (j1).';
comment on column night_decisions.memories is 'The memories it is about, by id.';
comment on column night_decisions.confidence is 'How likely it is that something follows, 0 to 1.';
comment on column night_decisions.reason is 'Why it waits, in a sentence.';
comment on column night_decisions.said is 'What those memories said then.';
