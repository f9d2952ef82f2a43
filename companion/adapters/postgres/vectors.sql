-- Search by meaning. Applied by whoever prepares the server where the extension `vector` (0.7 or newer) is there.

create extension if not exists vector;

create table companion.meanings (
    project text not null,
    record text not null,
    model text not null check (length(model) <= 200),
    login text not null default session_user,
    meaning halfvec(384) not null,
    primary key (project, record, model),
    foreign key (project, record) references companion.texts on delete cascade
);
comment on table companion.meanings is 'The vectors of versions, as the laptops made them; they go with the text of their version.';
comment on column companion.meanings.project is 'The project of the version.';
comment on column companion.meanings.record is 'The version.';
comment on column companion.meanings.model is 'The model that made the vector: those of different models never meet.';
comment on column companion.meanings.login is 'Who appended it: who appended the version.';
comment on column companion.meanings.meaning is 'A unit vector; half precision halves the memory of its index.';
create index meanings_near on companion.meanings using hnsw (meaning halfvec_cosine_ops);

alter table companion.meanings enable row level security;
create policy members_read on companion.meanings for select to companion_read
    using (project in (select companion.mine()));
create policy authors_append on companion.meanings for insert to companion_write
    with check (
        login = session_user
        and exists (
            select
            from companion.log
            where log.project = meanings.project and log.record = meanings.record and log.login = session_user
        )
    );
grant select on companion.meanings to companion_read;
grant insert (project, record, model, meaning) on companion.meanings to companion_write;
