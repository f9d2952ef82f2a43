-- Conversations: their states and turns, what they leave behind, and the acts that their memories belong to.

alter table memories add column if not exists act_id varchar default '';
comment on column memories.act_id is 'The act it belongs to; empty: the act of its project.';

create table acts (
    id varchar primary key,
    user_id varchar not null,
    name varchar not null,
    project_id varchar not null default '',
    permanent boolean not null default false,
    created_at timestamp not null,
    deleted_at timestamp
);
comment on table acts is 'Containers of memories: one of each project, other lines of work, and Your Story.';
comment on column acts.id is 'Tagged a1.';
comment on column acts.user_id is 'Whose.';
comment on column acts.name is 'Its name, as a person gave it or as the project is called.';
comment on column acts.project_id is 'The project it is the act of; empty for any other line of work.';
comment on column acts.permanent is 'Whether it is Your Story, which is never archived or deleted.';
comment on column acts.created_at is 'When it was made, UTC.';
comment on column acts.deleted_at is 'When it was deleted, UTC; its memories went to Your Story.';

create table conversations (
    id varchar primary key,
    user_id varchar not null,
    project_id varchar not null default '',
    persona varchar not null default '',
    source varchar not null,
    title varchar not null default '',
    state varchar not null check (state in ('active', 'ready_to_close', 'compressing', 'archived')),
    paused_at timestamp,
    turns integer not null default 0,
    started_at timestamp not null,
    last_turn_at timestamp,
    closed_at timestamp,
    archived_at timestamp,
    outside varchar not null default '',
    preview json,
    made_by varchar not null default '',
    passes integer not null default 0,
    seconds double not null default 0,
    confidence double not null default 0
);
comment on table conversations is 'Deliberate exchanges with an assistant. The transcript of each stays.';
comment on column conversations.id is 'Tagged c2.';
comment on column conversations.user_id is 'Whose.';
comment on column conversations.project_id is 'The project it is held in; empty if in none.';
comment on column conversations.persona is 'The assistant it is held with; empty: any.';
comment on column conversations.source is 'by-hand, mcp, http, or the assistant whose log it was read from.';
comment on column conversations.title is 'A line about it.';
comment on column conversations.state is 'active, ready_to_close, compressing or archived.';
comment on column conversations.paused_at is 'Since when it is paused, UTC: no nudges meanwhile.';
comment on column conversations.turns is 'How many turns it has.';
comment on column conversations.started_at is 'When it began, UTC.';
comment on column conversations.last_turn_at is 'When its last turn came in, UTC.';
comment on column conversations.closed_at is 'When the user closed it, UTC.';
comment on column conversations.archived_at is 'When it was archived, UTC.';
comment on column conversations.outside is 'The name that its transcript has outside, by which it is taken in once; empty otherwise.';
comment on column conversations.preview is 'What will be remembered of it: extraction, parts and edits, while it is under review.';
comment on column conversations.made_by is 'The rules or the model that extracted it.';
comment on column conversations.passes is 'How often its text was gone through.';
comment on column conversations.seconds is 'How long the extraction took.';
comment on column conversations.confidence is 'How sure the extraction is, 0 to 1.';

create table talk_places (
    user_id varchar primary key,
    conversation_id varchar not null,
    taken_at timestamp not null
);
comment on table talk_places is 'The one place of each user: two clients cannot both take it.';
comment on column talk_places.user_id is 'Whose.';
comment on column talk_places.conversation_id is 'The conversation that holds it: active, paused or ready to close.';
comment on column talk_places.taken_at is 'Since when, UTC.';

create table talk_moves (
    conversation_id varchar not null,
    number integer not null,
    moved_at timestamp not null,
    before varchar not null,
    after varchar not null,
    why varchar not null,
    primary key (conversation_id, number)
);
comment on table talk_moves is 'Every change of state of a conversation, in order.';
comment on column talk_moves.conversation_id is 'The conversation.';
comment on column talk_moves.number is 'Order, from 1.';
comment on column talk_moves.moved_at is 'When, UTC.';
comment on column talk_moves.before is 'The state it left; empty at its beginning.';
comment on column talk_moves.after is 'The state it came to, or paused or unpaused.';
comment on column talk_moves.why is 'closed, confirmed, resumed, failed: what moved it.';

create table turns (
    id varchar primary key,
    conversation_id varchar not null,
    number integer not null,
    said_at timestamp not null,
    channel varchar not null default '',
    messages json not null,
    words varchar not null default '',
    tokens integer not null default 0,
    warmth varchar not null default 'hot' check (warmth in ('hot', 'warm', 'cold')),
    anchor double not null default 0,
    outside varchar not null default ''
);
comment on table turns is 'What was said: a user turn with its reply. Raw, redacted, permanent.';
comment on column turns.id is 'Tagged t1.';
comment on column turns.conversation_id is 'The conversation.';
comment on column turns.number is 'Order in the conversation, from 1.';
comment on column turns.said_at is 'When it began, UTC.';
comment on column turns.channel is 'The way it came in by.';
comment on column turns.messages is 'Its messages in order: role and text.';
comment on column turns.words is 'All that is said in it as one text: what is searched.';
comment on column turns.tokens is 'Tokens of all messages.';
comment on column turns.warmth is 'hot, warm or cold.';
comment on column turns.anchor is 'How firmly it says who the user is or what was decided for good: 0, 0.5 or 1.';
comment on column turns.outside is 'Its id in the transcript it was read from; empty otherwise.';

create table items (
    id varchar primary key,
    conversation_id varchar not null,
    turn integer not null,
    type varchar not null,
    text varchar not null,
    quote varchar not null default '',
    details json not null,
    entities varchar[] not null default [],
    confidence double not null,
    state varchar not null check (state in ('candidate', 'open', 'settled', 'dropped')),
    memory_id varchar not null default '',
    act_id varchar not null default '',
    persona varchar not null default '',
    created_at timestamp not null,
    touched_at timestamp not null,
    settled_by varchar not null default '',
    settled_at timestamp,
    settled_confidence double
);
comment on table items is 'What conversations leave behind: people, tasks, decisions, what is waited for, questions, blockers.';
comment on column items.id is 'Tagged i1.';
comment on column items.conversation_id is 'The conversation it comes from.';
comment on column items.turn is 'The number of the turn.';
comment on column items.type is 'person, task, decision, waiting-on, question, blocker, priority-change, act-reference or insight.';
comment on column items.text is 'The statement.';
comment on column items.quote is 'The words it rests on.';
comment on column items.details is 'What its type has beside the statement: status, due, who, why, answer.';
comment on column items.entities is 'Keys of the entities it names.';
comment on column items.confidence is 'How sure it is that this was said, 0 to 1.';
comment on column items.state is 'candidate until reviewed, then open, settled or dropped.';
comment on column items.memory_id is 'The memory it belongs to, once confirmed.';
comment on column items.act_id is 'The act it was routed to; empty: that of the project.';
comment on column items.persona is 'The persona it belongs to; empty: all.';
comment on column items.created_at is 'When it was extracted, UTC.';
comment on column items.touched_at is 'When it was last spoken of, UTC: tasks that rest for five days are stale.';
comment on column items.settled_by is 'The item, or `user`, that settled it.';
comment on column items.settled_at is 'When it was settled, UTC.';
comment on column items.settled_confidence is 'How surely, 0 to 1.';
