-- Which writes were kept: a client whose connection broke asks again under the same id, and nothing is done twice.

create table requests (
    id varchar primary key,
    kept_at timestamp not null default (now() at time zone 'UTC')
);
comment on table requests is 'Writes that were kept, by the id their client gave them; forgotten after a day.';
comment on column requests.id is 'The id, written in the transaction that kept the write.';
comment on column requests.kept_at is 'When, UTC.';
