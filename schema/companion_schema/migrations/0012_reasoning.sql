-- Reasoning: answers about requests, what each rests on, and what came of it.

create table answers (
    id varchar primary key,
    number bigint not null,
    project_id varchar not null,
    kind varchar not null check (kind in ('classify', 'decompose', 'verify')),
    persona varchar not null default '',
    conversation_id varchar not null default '',
    request varchar not null,
    action varchar not null default '',
    said varchar not null default '',
    reading varchar not null default '',
    confidence double not null,
    made_by varchar not null,
    asked_at timestamp not null,
    model varchar not null default '',
    vector float[],
    outcome varchar not null default '' check (outcome in ('', 'accepted', 'corrected', 'rejected')),
    outcome_number bigint not null default 0,
    outcome_at timestamp,
    right_reading varchar not null default '',
    note varchar not null default ''
);
comment on table answers is 'What was answered about requests: how they are read, taken apart, or fit what is known.';
comment on column answers.id is 'Tagged q1.';
comment on column answers.number is 'Order in which they were given, from 1.';
comment on column answers.project_id is 'The project it was asked in, or the user''s own space.';
comment on column answers.kind is 'classify, decompose or verify.';
comment on column answers.persona is 'The assistant it was asked by; empty: any.';
comment on column answers.conversation_id is 'The conversation that was going on; deleted with it. Empty if there was none.';
comment on column answers.request is 'What was asked, redacted, its first page.';
comment on column answers.action is 'The action that was checked; empty for other kinds.';
comment on column answers.said is 'The answer in a line; emptied when something it quotes is deleted.';
comment on column answers.reading is 'What was answered: process/machine/execute, or fits or does not fit; empty for a decomposition.';
comment on column answers.confidence is 'How sure it was, 0 to 1.';
comment on column answers.made_by is 'rules, or rules and the name of a model.';
comment on column answers.asked_at is 'When, UTC.';
comment on column answers.model is 'The embedding model of the vector; empty where there was none.';
comment on column answers.vector is 'The vector of the request (of the action for a check), by which it is found again.';
comment on column answers.outcome is 'accepted, corrected or rejected; empty until somebody says.';
comment on column answers.outcome_number is 'Order of outcomes, by which they are learned; 0 before there is one.';
comment on column answers.outcome_at is 'When it was said, UTC.';
comment on column answers.right_reading is 'What was right instead, where it was corrected.';
comment on column answers.note is 'What was said about it: what and why.';

create table influences (
    answer_id varchar not null,
    source_id varchar not null,
    how varchar not null
        check (how in ('disambiguation', 'pattern_match', 'entity_reference', 'intent_verification')),
    weight double not null,
    why varchar not null default '',
    primary key (answer_id, source_id)
);
comment on table influences is 'What is known that each answer rests on, how, how much, and why.';
comment on column influences.answer_id is 'The answer.';
comment on column influences.source_id is 'A memory, an open item, or an earlier answer whose outcome was learned from.';
comment on column influences.how is 'disambiguation, pattern_match, entity_reference or intent_verification.';
comment on column influences.weight is 'How much of the certainty it moved: above 0 towards the answer, below 0 against it.';
comment on column influences.why is 'Why, in a sentence; gone with the source.';
