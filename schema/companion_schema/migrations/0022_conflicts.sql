-- Pairs whose sides say the same are one conflict: shown, asked about and settled as one.

alter table contradictions add column if not exists conflict varchar default '';
comment on column contradictions.conflict is 'Id of the first pair of the conflict that this pair belongs to; empty: this one.';
alter table judgements add column if not exists also varchar[] default [];
comment on column judgements.also is 'More pairs of the same conflict, by the ids of their memories, two by two: the answer holds for them too.';
