-- Questions that rules cannot answer, for a judge that understands what it reads, and what it answered.

create table judgements (
    id varchar primary key,
    project_id varchar not null,
    question varchar not null,
    memories varchar[] not null,
    why varchar not null,
    proposed_by varchar not null,
    weight double not null,
    opens boolean not null,
    asked_at timestamp not null,
    answer varchar not null default '',
    reason varchar not null default '',
    judge varchar not null default '',
    answered_at timestamp,
    declined varchar[] not null default []
);
comment on table judgements is 'Questions about one memory or two for a judge (language model, assistant, person), each with its answer.';
comment on column judgements.id is 'Tagged j1; hash of the question and of what the memories say, so that other words are another question.';
comment on column judgements.project_id is 'The project.';
comment on column judgements.question is 'pair: how two memories stand to one another; worth: whether one should stay.';
comment on column judgements.memories is 'The memories, by id, in the order in which they are shown: first and second.';
comment on column judgements.why is 'Why it is asked, in a sentence.';
comment on column judgements.proposed_by is 'Name and version of the rules or the reader that raised it.';
comment on column judgements.weight is 'How likely a yes is, 0 to 1: the likeliest are asked first.';
comment on column judgements.opens is 'Whether a contradiction is opened even where nobody answers.';
comment on column judgements.asked_at is 'When it was first put, UTC.';
comment on column judgements.answer is 'What the judge said; empty: not answered yet.';
comment on column judgements.reason is 'Why, in the judge''s words.';
comment on column judgements.judge is 'Who answered: person, assistant NAME or model NAME.';
comment on column judgements.answered_at is 'When, UTC.';
comment on column judgements.declined is 'Judges who were asked and could not say.';
