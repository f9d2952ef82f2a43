-- How well prediction does on a project: on commits it had not learned from, and on where work went next.

create table replayed (
    project_id varchar not null,
    sha varchar not null,
    committed_at timestamp not null,
    measured_at timestamp not null,
    learned double not null,
    usual double not null,
    recent double not null,
    primary key (project_id, sha)
);
comment on table replayed is 'How many of the files of a commit prediction would have found among its first ten, before it learned from it.';
comment on column replayed.project_id is 'The project.';
comment on column replayed.sha is 'The commit; measured once.';
comment on column replayed.committed_at is 'When it was committed, UTC.';
comment on column replayed.measured_at is 'When that was measured, UTC.';
comment on column replayed.learned is 'Share found by the weights that this project had taught so far, 0 to 1.';
comment on column replayed.usual is 'Share found by the weights that every project begins with.';
comment on column replayed.recent is 'Share found by naming the files that were changed last: the simplest guess.';

create table foreseen (
    checkout_id varchar not null,
    day date not null,
    what varchar not null check (what in ('opened', 'edited', 'asked')),
    times bigint not null,
    hits bigint not null,
    primary key (checkout_id, day, what)
);
comment on table foreseen is 'How often a day what came next had been foreseen; counts alone, of no file.';
comment on column foreseen.checkout_id is 'The checkout.';
comment on column foreseen.day is 'The day, UTC.';
comment on column foreseen.what is 'opened or edited: a file that was new to the work; asked: a context.';
comment on column foreseen.times is 'How often that happened.';
comment on column foreseen.hits is 'How often the context before had shown the file, or the context was ready beforehand.';

alter table servings add column if not exists files varchar[];
comment on column servings.files is 'Files whose code it showed; null: served before this was kept.';
