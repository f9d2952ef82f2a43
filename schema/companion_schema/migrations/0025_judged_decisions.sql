-- A judge is asked what a commit decided.

comment on column judgements.question is 'pair: how two memories stand to one another; worth: whether one should stay; decision: whether a commit decided something; action: what a rule says of an intended action.';
