-- Whose words a judge's reasons quote, so that they go when those are erased.

alter table rulings add column if not exists memories varchar[];
comment on column rulings.memories is 'The two memories that were judged, by id; null: judged before this was kept.';
