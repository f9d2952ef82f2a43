-- A project's history, and what is counted from it.

create table commits (
    project_id varchar not null,
    seq bigint not null,
    sha varchar not null,
    parents varchar not null,
    author_name varchar not null,
    author_email varchar not null,
    authored_at timestamp not null,
    committed_at timestamp not null,
    subject varchar not null,
    is_merge boolean not null,
    file_count integer not null,
    reverts varchar not null default '',
    branch varchar not null default '',
    gone boolean not null default false
);
comment on table commits is 'Every commit that was read, redacted.';
comment on column commits.project_id is 'The project.';
comment on column commits.seq is 'Order of reading, oldest first, from 1: the clock that co-change decays by.';
comment on column commits.sha is 'Full commit id.';
comment on column commits.parents is 'Ids of its parents, separated by spaces.';
comment on column commits.author_name is 'Author''s name, by the mailmap.';
comment on column commits.author_email is 'Author''s address, by the mailmap.';
comment on column commits.authored_at is 'When it was written, UTC.';
comment on column commits.committed_at is 'When it was committed, UTC.';
comment on column commits.subject is 'First line of its message.';
comment on column commits.is_merge is 'Whether it has several parents.';
comment on column commits.file_count is 'Files it changed.';
comment on column commits.reverts is 'Id of the commit it reverts; empty: none.';
comment on column commits.branch is 'Branch it is on alone; empty: the default branch.';
comment on column commits.gone is 'Whether rewritten history no longer holds it.';

create table history_state (
    project_id varchar primary key,
    half_life double not null,
    max_files integer not null,
    reference_seq double not null
);
comment on table history_state is 'How a project''s weights were counted.';
comment on column history_state.project_id is 'The project.';
comment on column history_state.half_life is 'Commits after which a weight is worth half.';
comment on column history_state.max_files is 'Commits of more files count for no pair.';
comment on column history_state.reference_seq is 'The commit whose weight is 1: it moves on before numbers grow too large.';

create table tags (
    project_id varchar not null,
    name varchar not null,
    sha varchar not null,
    tagged_at timestamp not null
);
comment on table tags is 'Named points in history.';
comment on column tags.project_id is 'The project.';
comment on column tags.name is 'The tag.';
comment on column tags.sha is 'The commit it names.';
comment on column tags.tagged_at is 'When, UTC.';

create table history_files (
    project_id varchar not null,
    file_id bigint not null,
    path varchar not null,
    alive boolean not null,
    first_seq bigint not null,
    last_seq bigint not null,
    commits integer not null
);
comment on table history_files is 'Files as history knows them: a rename keeps the id.';
comment on column history_files.project_id is 'The project.';
comment on column history_files.file_id is 'Number of the file in the project, from 1.';
comment on column history_files.path is 'Its latest path.';
comment on column history_files.alive is 'Whether it exists after the newest commit.';
comment on column history_files.first_seq is 'First commit that touched it.';
comment on column history_files.last_seq is 'Latest commit that touched it.';
comment on column history_files.commits is 'Commits that touched it.';

create table touches (
    project_id varchar not null,
    seq bigint not null,
    file_id bigint not null,
    status varchar not null,
    path varchar not null
);
comment on table touches is 'Which commit touched which file.';
comment on column touches.project_id is 'The project.';
comment on column touches.seq is 'The commit.';
comment on column touches.file_id is 'The file.';
comment on column touches.status is 'A, M, D or R.';
comment on column touches.path is 'Its path after that commit; for a change on a branch that does not know of a rename, the renamed path.';

create table cochange (
    project_id varchar not null,
    file_a bigint not null,
    file_b bigint not null,
    weight double not null,
    together integer not null,
    last_seq bigint not null
);
comment on table cochange is 'How strongly files change together; both directions are kept.';
comment on column cochange.project_id is 'The project.';
comment on column cochange.file_a is 'One file.';
comment on column cochange.file_b is 'The other.';
comment on column cochange.weight is 'Sum over common commits of 2^((seq - reference) / half-life) / log2(1 + files): only ratios matter.';
comment on column cochange.together is 'Common commits.';
comment on column cochange.last_seq is 'Latest common commit.';

create table ownership (
    project_id varchar not null,
    file_id bigint not null,
    person varchar not null,
    email varchar not null,
    commits integer not null,
    weight double not null,
    last_seq bigint not null
);
comment on table ownership is 'Who has worked on which file.';
comment on column ownership.project_id is 'The project.';
comment on column ownership.file_id is 'The file.';
comment on column ownership.person is 'Name, as in their latest commit on it.';
comment on column ownership.email is 'Address.';
comment on column ownership.commits is 'Commits of theirs that touched it.';
comment on column ownership.weight is 'The same, each weighted 2^((seq - reference) / half-life).';
comment on column ownership.last_seq is 'Their latest commit on it.';

create table activity (
    project_id varchar not null,
    day date not null,
    person varchar not null,
    commits integer not null,
    files integer not null
);
comment on table activity is 'Work done a day.';
comment on column activity.project_id is 'The project.';
comment on column activity.day is 'The day, UTC.';
comment on column activity.person is 'Who.';
comment on column activity.commits is 'Commits that day.';
comment on column activity.files is 'Files touched that day, counted once a commit.';
