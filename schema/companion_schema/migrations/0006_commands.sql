create table commands (
    id varchar primary key,
    project_id varchar not null,
    checkout_id varchar not null,
    started_at timestamp not null,
    directory varchar not null,
    command varchar not null,
    step varchar not null default '',
    exit_code integer not null,
    duration_s double not null,
    branch varchar not null default '',
    failure varchar not null default ''
);
comment on table commands is 'Commands that were run through the companion or a shell that reports them; never their environment.';
comment on column commands.id is 'Hash of checkout, moment and command, tagged c1: the same report twice is one row.';
comment on column commands.project_id is 'The project it was run in.';
comment on column commands.checkout_id is 'The checkout it was run in.';
comment on column commands.started_at is 'When it began, UTC.';
comment on column commands.directory is 'Folder of the repository it was run in; empty: the top.';
comment on column commands.command is 'The command line, redacted, without the variables it was given.';
comment on column commands.step is 'What it does for a workflow: the program and its task; empty: nothing, as looking around.';
comment on column commands.exit_code is 'How it ended; 0 is success.';
comment on column commands.duration_s is 'How long it took, in seconds.';
comment on column commands.branch is 'The branch that was checked out; empty: none.';
comment on column commands.failure is 'Fingerprint of the first error it printed; empty: none was recognised.';
create index commands_by_time on commands (project_id, started_at);

create table sightings (
    id varchar primary key,
    project_id varchar not null,
    checkout_id varchar not null,
    fingerprint varchar not null,
    via varchar not null check (via in ('command', 'diagnostics')),
    place varchar not null,
    first_seen_at timestamp not null,
    last_seen_at timestamp not null,
    times integer not null,
    tool varchar not null default '',
    error_type varchar not null default '',
    message varchar not null default '',
    frames json not null,
    symbols json not null,
    branch varchar not null default '',
    head varchar not null default '',
    dirty json not null,
    gone_at timestamp,
    outcome varchar not null default '' check (outcome in ('', 'changed', 'unchanged')),
    fix varchar not null default '',
    fix_commit varchar not null default '',
    fix_paths json,
    fix_lines varchar not null default '',
    verified boolean not null default false
);
comment on table sightings is 'Errors from the first time they were seen until they went away, one row each time.';
comment on column sightings.id is 'Hash of checkout, error, place and first moment, tagged s1.';
comment on column sightings.project_id is 'The project.';
comment on column sightings.checkout_id is 'The checkout it was seen in.';
comment on column sightings.fingerprint is 'What is the same when the same error comes again.';
comment on column sightings.via is 'Who reported it: command or diagnostics.';
comment on column sightings.place is 'The command and its folder, or the path of the diagnosed file.';
comment on column sightings.first_seen_at is 'When it was first seen, UTC.';
comment on column sightings.last_seen_at is 'When it was last seen, UTC.';
comment on column sightings.times is 'How often it was seen until it went away.';
comment on column sightings.tool is 'The language or program that spoke.';
comment on column sightings.error_type is 'Kind of error as the tool names it.';
comment on column sightings.message is 'What was said, redacted.';
comment on column sightings.frames is 'Places inside the repository: path, line and symbol, where it was raised first.';
comment on column sightings.symbols is 'Names the error speaks of.';
comment on column sightings.branch is 'The branch that was checked out when it was last seen.';
comment on column sightings.head is 'The commit that was checked out when it was last seen.';
comment on column sightings.dirty is 'Paths that differed from that commit then, each with the blob id of what stood there.';
comment on column sightings.gone_at is 'When it was seen to be gone, UTC; null: not yet.';
comment on column sightings.outcome is 'changed or unchanged: whether anything was changed before it was gone; empty: not gone.';
comment on column sightings.fix is 'What was changed between, in words.';
comment on column sightings.fix_commit is 'The commit between that is nearest to the error; empty: none.';
comment on column sightings.fix_paths is 'Files that changed between.';
comment on column sightings.fix_lines is 'Lines that were changed and not yet committed, redacted; empty: none.';
comment on column sightings.verified is 'Whether the command that showed it failed before the change and passed after it.';
create index sightings_by_error on sightings (project_id, fingerprint);
