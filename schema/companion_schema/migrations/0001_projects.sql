-- Who uses the store, and what projects and checkouts it knows.

create table store_meta (
    name varchar primary key,
    value varchar not null
);
comment on table store_meta is 'Single values about the store itself.';
comment on column store_meta.name is 'What the value is, e.g. user_id.';
comment on column store_meta.value is 'The value as text.';

create table projects (
    id varchar primary key,
    root_commit varchar not null,
    remote varchar not null,
    copy_of varchar not null default '',
    name varchar not null,
    first_seen_at timestamp not null,
    consent_at timestamp
);
comment on table projects is 'A project: one root commit and one normalised remote.';
comment on column projects.id is 'Hash of root commit, remote and copy mark, tagged p1.';
comment on column projects.root_commit is 'Full id of the oldest root commit; empty before the first commit.';
comment on column projects.remote is 'Normalised remote (host/owner/name), empty if there is none.';
comment on column projects.copy_of is 'Git folder that tells a copy without remote from its original; empty otherwise.';
comment on column projects.name is 'What people call it; shown, never compared.';
comment on column projects.first_seen_at is 'When it was first scanned, UTC.';
comment on column projects.consent_at is 'When reading it was agreed to, UTC.';

create table checkouts (
    id varchar primary key,
    project_id varchar not null,
    common_dir varchar not null,
    root varchar not null,
    branch varchar not null default '',
    head varchar not null default '',
    scanned_at timestamp,
    code_revision bigint not null default 0
);
comment on table checkouts is 'A work tree of a project; worktrees and clones of it have one each.';
comment on column checkouts.id is 'Hash of project and work tree folder, tagged c1.';
comment on column checkouts.project_id is 'The project it belongs to.';
comment on column checkouts.common_dir is 'The git folder that its worktrees share.';
comment on column checkouts.root is 'The work tree folder.';
comment on column checkouts.branch is 'Branch at the last scan, empty when detached.';
comment on column checkouts.head is 'Commit at the last scan, empty when unborn.';
comment on column checkouts.scanned_at is 'When it was last scanned, UTC.';
comment on column checkouts.code_revision is 'Raised by one each time its indexed code changes.';

create table skipped (
    checkout_id varchar not null,
    path varchar not null,
    reason varchar not null
);
comment on table skipped is 'What the last scan did not read.';
comment on column skipped.checkout_id is 'The checkout.';
comment on column skipped.path is 'Path in the repository.';
comment on column skipped.reason is 'Why, in words for people.';

create table parameters (
    project_id varchar not null,
    name varchar not null,
    item varchar not null,
    value double not null,
    learned_at timestamp not null,
    primary key (project_id, name, item)
);
comment on table parameters is 'What was learned about a project''s ranking: weights and calibration.';
comment on column parameters.project_id is 'The project it was learned on.';
comment on column parameters.name is 'Which set, e.g. ranker.file or calibration.';
comment on column parameters.item is 'Which weight of the set.';
comment on column parameters.value is 'Its value.';
comment on column parameters.learned_at is 'When it was learned, UTC.';

create table unlearned (
    checkout_id varchar not null,
    path varchar not null
);
comment on table unlearned is 'Files whose code is indexed but which no kind has learned from yet: a killed scan goes on here.';
comment on column unlearned.checkout_id is 'The checkout.';
comment on column unlearned.path is 'Path in the repository; it may be gone by now.';
