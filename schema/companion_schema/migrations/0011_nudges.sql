-- What was offered unasked or kept back. It holds no words: what a nudge says is read from what it is about.

create table nudges (
    id varchar primary key,
    user_id varchar not null,
    project_id varchar not null default '',
    sort varchar not null,
    subject varchar not null,
    state varchar not null check (state in ('kept back', 'offered')),
    why varchar not null,
    decided_at timestamp not null,
    times integer not null default 0,
    offered_at timestamp,
    answer varchar not null default 'none',
    answered_at timestamp,
    conversation_id varchar not null default ''
);
comment on table nudges is 'Offers that were made unasked, and those that were kept back, each with its reason.';
comment on column nudges.id is 'Tagged n1, from user, sort and subject.';
comment on column nudges.user_id is 'Whose.';
comment on column nudges.project_id is 'The project that it came up in; empty outside of any.';
comment on column nudges.sort is 'lull, contradiction or stale-task.';
comment on column nudges.subject is 'The id of the conversation, contradiction or item that it is about.';
comment on column nudges.state is 'kept back or offered; an offered one stays so.';
comment on column nudges.why is 'Why it was kept back when that was looked at last, or that nothing spoke against it.';
comment on column nudges.decided_at is 'When that was decided, UTC.';
comment on column nudges.times is 'How often it was offered.';
comment on column nudges.offered_at is 'When it was offered last, UTC.';
comment on column nudges.answer is 'none, done, later, never, open or dismissed.';
comment on column nudges.answered_at is 'When it was answered, UTC.';
comment on column nudges.conversation_id is 'The conversation that it joined; empty if none was going on.';
