-- What a team shares: records that never change, each named by the digest of its text.

create table team_records (
    project_id varchar not null,
    id varchar not null,
    sort varchar not null check (sort in ('version', 'withdrawal', 'resolution')),
    record_key varchar not null default '',
    author varchar not null,
    made_at timestamp not null,
    about varchar[] not null default [],
    text varchar not null,
    arrived_at timestamp not null,
    made_here boolean not null,
    memory_id varchar not null default '',
    primary key (project_id, id)
);
comment on table team_records is 'Versions of memories that people of a team share, withdrawals and resolutions, as they are written to files and servers.';
comment on column team_records.project_id is 'The project that they are shared in.';
comment on column team_records.id is 'First 32 digits of the SHA-256 of the text.';
comment on column team_records.sort is 'version, withdrawal or resolution.';
comment on column team_records.record_key is 'Of a version: what it speaks of, the same in every store; empty for the others.';
comment on column team_records.author is 'Who made it: Name <address>, as git writes it.';
comment on column team_records.made_at is 'When it was made, by the clock of its author, UTC.';
comment on column team_records.about is 'The versions that it names: those it replaces, the one it withdraws, the two it resolves.';
comment on column team_records.text is 'The record as text; empty: the user deleted its memory for good, and it is not read again.';
comment on column team_records.arrived_at is 'When it was made or read here, UTC.';
comment on column team_records.made_here is 'Whether it was made in this store: only such records are sent.';
comment on column team_records.memory_id is 'Of a version: the memory of this store that says it; empty: none ever did.';

create table team_sent (
    project_id varchar not null,
    record_id varchar not null,
    way varchar not null,
    sent_at timestamp not null,
    primary key (project_id, record_id, way)
);
comment on table team_sent is 'What left this store for others to read.';
comment on column team_sent.project_id is 'The project.';
comment on column team_sent.record_id is 'The record of the team.';
comment on column team_sent.way is 'text: files of the repository; otherwise the name of a server.';
comment on column team_sent.sent_at is 'When it was first sent that way, UTC.';
