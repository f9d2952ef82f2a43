-- How often a context was ready before it was asked for is among the figures of work (`foreseen`, `asked`).

drop table prefetches;
