-- Up to which commit renames were followed in what a memory names.

alter table memories add column if not exists paths_as_of bigint;
comment on column memories.paths_as_of is 'Number of the commit as of which its paths are those of today; null: as its source names them.';
