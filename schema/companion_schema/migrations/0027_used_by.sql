-- By how many colleagues what a team shares was cited.

alter table team_records add column if not exists used_by integer default 0;
comment on column team_records.used_by is 'Of a version: how many others of the team cited it, as the server told; the nightly run weighs by it.';
