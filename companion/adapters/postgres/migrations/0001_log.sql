-- The log of what teams share, who may read and append to it, and search over it.

do $$
declare
    role text;
begin
    foreach role in array array['companion_read', 'companion_write', 'companion_maintain'] loop
        begin
            if not exists (select from pg_roles where rolname = role) then
                execute format('create role %I nologin', role);
            end if;
        exception when duplicate_object or unique_violation then
            null; -- another database of this server made it in this moment
        end;
    end loop;
    if not pg_has_role('companion_write', 'companion_read', 'usage') then
        grant companion_read to companion_write;
    end if;
    if not pg_has_role('companion_maintain', 'companion_write', 'usage') then
        grant companion_write to companion_maintain;
    end if;
end
$$;

create schema companion;
comment on schema companion is 'What teams share through Companion.';
grant usage on schema companion to companion_read;

create table companion.migrations (
    number integer primary key,
    name text not null,
    applied_at timestamptz not null default now(),
    applied_by text not null default session_user
);
comment on table companion.migrations is 'The scripts that made this schema; the program compares the highest number with its own.';
comment on column companion.migrations.number is 'The number of the script.';
comment on column companion.migrations.name is 'What the script is called.';
comment on column companion.migrations.applied_at is 'When it was applied.';
comment on column companion.migrations.applied_by is 'The login that applied it.';
grant select on companion.migrations to companion_read;

create table companion.server (
    id uuid primary key default gen_random_uuid()
);
comment on table companion.server is 'One row: the name of this log.';
comment on column companion.server.id is 'Another than the one a laptop knows means that it reads the log from its start.';
insert into companion.server default values;
grant select on companion.server to companion_read;

create table companion.members (
    login text not null,
    project text not null check (length(project) between 1 and 200),
    author text not null default '',
    primary key (login, project)
);
comment on table companion.members is 'Who takes part in which project; the roles say whether they may read, write or maintain.';
comment on column companion.members.login is 'The role they log in as.';
comment on column companion.members.project is 'The project, as `companion team connect` names it.';
comment on column companion.members.author is 'Their name and address as git writes them: versions of this author they may withdraw, whoever brought them here.';
grant select, insert, update, delete on companion.members to companion_maintain;

create function companion.mine() returns setof text
language sql stable security definer set search_path = ''
as $$
    select project
    from companion.members
    where login = session_user
$$;
comment on function companion.mine() is 'The projects that whoever asks is a member of.';

create table companion.log (
    project text not null,
    position bigint not null,
    record text not null check (record ~ '^[0-9a-f]{32}$'),
    chain text not null,
    kind text not null check (length(kind) <= 40),
    author text not null check (length(author) <= 400),
    made_at timestamptz not null,
    login text not null default session_user,
    arrived_at timestamptz not null default now(),
    body jsonb check (octet_length(body::text) <= 262144),
    primary key (project, position),
    unique (project, record)
);
comment on table companion.log is 'What was shared, in the order in which it was committed; nothing is changed but that a withdrawal empties a version.';
comment on column companion.log.project is 'The project it belongs to.';
comment on column companion.log.position is 'Its place in the project''s log, from 1, without gaps; given under a lock, so that none appears behind one that was read.';
comment on column companion.log.record is 'The digest of what it says: the same record is never here twice.';
comment on column companion.log.chain is 'The digest of all records up to this one: a laptop knows by it whether the log is still the one it read.';
comment on column companion.log.kind is 'SharedVersion, Withdrawal, SharedResolution or SharedVerdict.';
comment on column companion.log.author is 'Who made it, as the record says.';
comment on column companion.log.made_at is 'When it was made, as the record says.';
comment on column companion.log.login is 'Who appended it, as this server knows.';
comment on column companion.log.arrived_at is 'When it was appended.';
comment on column companion.log.body is 'The record as JSON; null for a version that was withdrawn. At most 256 KiB, some fifty pages.';
create index log_withdrawals on companion.log (project, (body ->> 'version')) where kind = 'Withdrawal';

create table companion.texts (
    project text not null,
    record text not null,
    words tsvector not null,
    primary key (project, record)
);
comment on table companion.texts is 'The words of each version that is not withdrawn, for search.';
comment on column companion.texts.project is 'The project of the version.';
comment on column companion.texts.record is 'The version.';
comment on column companion.texts.words is 'Its words as they are written and as English stems; those of its subject weigh more.';
create index texts_words on companion.texts using gin (words) with (fastupdate = off);

create table companion.uses (
    project text not null,
    version text not null,
    login text not null default session_user,
    primary key (project, version, login),
    foreign key (project, version) references companion.log (project, record)
);
comment on table companion.uses is 'Who cited which version: one vote each. Nobody sees the row of another; the sums are for all.';
comment on column companion.uses.project is 'The project of the version.';
comment on column companion.uses.version is 'The version.';
comment on column companion.uses.login is 'Who cited it.';

create function companion.place() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
    last record;
    theirs record;
begin
    perform pg_advisory_xact_lock(hashtextextended('companion:' || new.project, 0));
    select log.position, log.chain into last
    from companion.log
    where log.project = new.project
    order by log.position desc
    limit 1;
    new.position := coalesce(last.position, 0) + 1;
    new.chain := md5(coalesce(last.chain, '') || new.record);
    if new.kind = 'Withdrawal' then
        select log.login, log.author into theirs
        from companion.log
        where log.project = new.project and log.record = new.body ->> 'version';
        if found and theirs.author = new.author and theirs.login <> session_user
            and not pg_has_role(session_user, 'companion_maintain', 'member')
            and not exists (
                select from companion.members
                where members.login = session_user and members.project = new.project
                    and members.author <> '' and members.author = theirs.author
            )
        then
            raise insufficient_privilege using message = 'only who shared a version, or a maintainer, may withdraw it';
        end if;
    elsif new.kind = 'SharedVersion' and exists (
        select from companion.log
        where log.project = new.project and log.kind = 'Withdrawal' and log.body ->> 'version' = new.record
            and log.author = new.author
    ) then
        new.body := null;
    end if;
    return new;
end
$$;
comment on function companion.place() is 'Gives a record its position, one writer of a project after the other; refuses to withdraw what others shared.';
create trigger place before insert on companion.log for each row execute function companion.place();

create function companion.arrived() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
    touched text;
begin
    insert into companion.texts (project, record, words)
    select
        added.project,
        added.record,
        setweight(to_tsvector('pg_catalog.simple', told.subject), 'A')
        || setweight(to_tsvector('pg_catalog.simple', told.said), 'B')
        || setweight(to_tsvector('pg_catalog.english', told.subject || ' ' || told.said), 'C')
    from added
    cross join lateral (
        select
            concat_ws(' ', added.body ->> 'key', added.body #>> '{draft,subject}', added.body #>> '{draft,attribute}') as subject,
            concat_ws(' ', added.body #>> '{draft,value}', added.body #>> '{draft,levels,full}') as said
    ) as told
    where added.kind = 'SharedVersion' and added.body is not null;

    update companion.log
    set body = null
    from added
    where added.kind = 'Withdrawal' and log.project = added.project and log.record = added.body ->> 'version'
        and log.author = added.author and log.kind = 'SharedVersion';

    delete from companion.texts
    using added, companion.log
    where added.kind = 'Withdrawal' and log.project = added.project and log.record = added.body ->> 'version'
        and log.body is null and texts.project = log.project and texts.record = log.record;

    for touched in select distinct project from added loop
        perform pg_notify('companion_' || md5(touched), '');
    end loop;
    return null;
end
$$;
comment on function companion.arrived() is 'Makes what arrived searchable, empties what was withdrawn, and wakes those who listen.';
create trigger arrived after insert on companion.log
    referencing new table as added for each statement execute function companion.arrived();

create function companion.used(wanted text) returns table (version text, others bigint)
language sql stable security definer set search_path = ''
as $$
    select uses.version, count(*)
    from companion.uses
    where uses.project = wanted and uses.login <> session_user and wanted in (select companion.mine())
    group by uses.version
$$;
comment on function companion.used(text) is 'How many others cited each version of a project.';

create function companion.find(wanted text, query tsquery, candidates integer, most integer) returns setof text
language sql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
    with matching as materialized (
        select texts.record, texts.words
        from companion.texts
        where texts.project = wanted and texts.words @@ query and wanted in (select companion.mine())
        limit candidates
    )
    select record
    from matching
    order by ts_rank(words, query) desc, record
    limit most
$$;
comment on function companion.find(text, tsquery, integer, integer) is
    'Versions of a project with the words of a query, the best first. By its owner''s rights: the index of words is not used below row-level security, whose operators might tell of rows.';

alter table companion.log enable row level security;
create policy members_read on companion.log for select to companion_read
    using (project in (select companion.mine()));
create policy members_append on companion.log for insert to companion_write
    with check (login = session_user and project in (select companion.mine()));
grant select on companion.log to companion_read;
grant insert (project, record, kind, author, made_at, body) on companion.log to companion_write;

alter table companion.texts enable row level security;
create policy members_read on companion.texts for select to companion_read
    using (project in (select companion.mine()));
grant select (project, record) on companion.texts to companion_read;

alter table companion.uses enable row level security;
create policy own on companion.uses to companion_write
    using (login = session_user)
    with check (login = session_user and project in (select companion.mine()));
grant select, insert (project, version) on companion.uses to companion_write;

revoke execute on all functions in schema companion from public;
grant execute on function companion.mine(), companion.used(text), companion.find(text, tsquery, integer, integer)
    to companion_read;
