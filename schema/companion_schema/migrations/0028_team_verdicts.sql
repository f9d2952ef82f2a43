-- Verdicts on pairs of shared versions are records of a team too; which sorts there are is for the program to say.

create temporary table records_before as
select * from team_records;
drop table team_records;
create table team_records (
    project_id varchar not null,
    id varchar not null,
    sort varchar not null,
    record_key varchar not null default '',
    author varchar not null,
    made_at timestamp not null,
    about varchar[] not null default [],
    text varchar not null,
    arrived_at timestamp not null,
    made_here boolean not null,
    memory_id varchar not null default '',
    used_by integer default 0,
    primary key (project_id, id)
);
comment on table team_records is 'What people of a team share: versions of memories, withdrawals, resolutions and verdicts, as they are written to files and servers.';
comment on column team_records.project_id is 'The project that they are shared in.';
comment on column team_records.id is 'First 32 digits of the SHA-256 of the text.';
comment on column team_records.sort is 'version, withdrawal, resolution or verdict.';
comment on column team_records.record_key is 'Of a version: what it speaks of, the same in every store; empty for the others.';
comment on column team_records.author is 'Who made it: Name <address>, as git writes it.';
comment on column team_records.made_at is 'When it was made, by the clock of its author, UTC.';
comment on column team_records.about is 'The versions that it names: those it replaces, the one it withdraws, the two it resolves or judges.';
comment on column team_records.text is 'The record as text; empty: the user deleted its memory for good, and it is not read again.';
comment on column team_records.arrived_at is 'When it was made or read here, UTC.';
comment on column team_records.made_here is 'Whether it was made in this store: only such records are sent.';
comment on column team_records.memory_id is 'Of a version: the memory of this store that says it; empty: none ever did.';
comment on column team_records.used_by is 'Of a version: how many others of the team cited it, as the server told; the nightly run weighs by it.';
insert into team_records by name
select * from records_before;
drop table records_before;
