-- Judges are asked about a rule and an intended action, too.

comment on column judgements.question is 'pair: how two memories stand to one another; worth: whether one should stay; action: what a rule says of an intended action.';
comment on column judgements.memories is 'The memories, by id, in the order in which they are shown; of an action the rule, and the answer (q1) that it was verified by.';
