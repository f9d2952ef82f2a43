-- Turns as history: the order they were heard in, how warm they are, sessions, and the summaries made of them.

alter table turns add column if not exists heard bigint default 0;
comment on column turns.heard is 'Order in which it was heard, over all conversations, from 1; 0: read from outside.';
alter table turns add column if not exists session varchar default '';
comment on column turns.session is 'The session it was said in; empty if read from outside or older than sessions.';
alter table turns add column if not exists gist varchar default '';
comment on column turns.gist is 'What a cold turn is shown as: one sentence of it; empty: made when it is shown.';
alter table turns add column if not exists keywords varchar[] default [];
comment on column turns.keywords is 'Names, identifiers and figures of a cold turn, the most telling first.';

update turns
set heard = numbered.heard
from (
    select id, row_number() over (order by said_at, conversation_id, number) as heard
    from turns
    where outside = ''
) as numbered
where turns.id = numbered.id;

create table turn_moves (
    turn_id varchar not null,
    number integer not null,
    moved_at timestamp not null,
    before varchar not null,
    after varchar not null,
    why varchar not null,
    primary key (turn_id, number)
);
comment on table turn_moves is 'Every move of a turn between hot, warm and cold, in order.';
comment on column turn_moves.turn_id is 'The turn.';
comment on column turn_moves.number is 'Order, from 1.';
comment on column turn_moves.moved_at is 'When, UTC.';
comment on column turn_moves.before is 'hot, warm or cold: what it was.';
comment on column turn_moves.after is 'What it became.';
comment on column turn_moves.why is 'grew old, archived, asked for, no longer asked for.';

create table talk_sessions (
    id varchar primary key,
    user_id varchar not null,
    persona varchar not null default '',
    number integer not null,
    started_at timestamp not null,
    last_turn_at timestamp not null,
    turns integer not null default 0,
    ended_at timestamp
);
comment on table talk_sessions is 'Stretches of activity of a user with a persona: they frame summaries, nothing else.';
comment on column talk_sessions.id is 'Tagged s1.';
comment on column talk_sessions.user_id is 'Whose.';
comment on column talk_sessions.persona is 'With which assistant; empty: any.';
comment on column talk_sessions.number is 'Order among the sessions with that persona, from 1.';
comment on column talk_sessions.started_at is 'When its first turn came in, UTC.';
comment on column talk_sessions.last_turn_at is 'When its last turn came in, UTC.';
comment on column talk_sessions.turns is 'How many turns it has.';
comment on column talk_sessions.ended_at is 'When it was over, UTC: its last turn, noticed with the next one; empty while it goes on.';

create table talk_summaries (
    id varchar primary key,
    user_id varchar not null,
    persona varchar not null default '',
    sort varchar not null check (sort in ('rolling', 'session', 'whole', 'block')),
    session varchar not null default '',
    number integer not null,
    made_at timestamp not null,
    first_heard bigint not null,
    last_heard bigint not null,
    turns integer not null,
    tokens integer not null,
    tokens_before integer not null default 0,
    text varchar not null,
    made_by varchar not null default 'rules'
);
comment on table talk_summaries is 'What is made of turns: rolling and session summaries, versions of the whole, blocks of the array.';
comment on column talk_summaries.id is 'Tagged y1.';
comment on column talk_summaries.user_id is 'Whose.';
comment on column talk_summaries.persona is 'With which assistant; empty: any, and always for the whole.';
comment on column talk_summaries.sort is 'rolling (every few turns), session (at its end), whole (of everything), block (of older turns of the array).';
comment on column talk_summaries.session is 'The session of a rolling or session summary.';
comment on column talk_summaries.number is 'Order or version among those of its sort, session and persona, from 1.';
comment on column talk_summaries.made_at is 'When it was made, UTC.';
comment on column talk_summaries.first_heard is 'The first turn it tells of, by the order of hearing.';
comment on column talk_summaries.last_heard is 'The last one.';
comment on column talk_summaries.turns is 'How many turns it tells of.';
comment on column talk_summaries.tokens is 'Tokens of its text.';
comment on column talk_summaries.tokens_before is 'Tokens of what a block took the place of.';
comment on column talk_summaries.text is 'The summary; of sessions and the whole, a line each: a label, a tab, the words.';
comment on column talk_summaries.made_by is 'rules, or the model that worded it.';

create table talk_states (
    user_id varchar not null,
    persona varchar not null,
    tried_at timestamp,
    made_at timestamp,
    error varchar not null default '',
    primary key (user_id, persona)
);
comment on table talk_states is 'How summing up goes with each persona.';
comment on column talk_states.user_id is 'Whose.';
comment on column talk_states.persona is 'With which assistant; empty: any.';
comment on column talk_states.tried_at is 'When a summary was last tried, UTC.';
comment on column talk_states.made_at is 'When one was last made, UTC.';
comment on column talk_states.error is 'Why the last try came to nothing; empty if it did not.';
