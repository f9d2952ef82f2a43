-- Tables of consolidation runs are called what they hold.

alter table night_runs rename to runs;
alter table night_changes rename to run_changes;
alter table night_rows rename to run_rows;
alter table night_digests rename to run_digests;
alter table night_decisions rename to run_decisions;
comment on table runs is 'Each consolidation run: planned, then applied, and perhaps undone.';
comment on column runs.number is 'Counts the runs of the store, from 1: their order whatever the clock says.';
comment on table run_changes is 'The journal: every change of a run with its reason, in the order of application.';
comment on column run_changes.run_id is 'The run.';
comment on column run_changes.number is 'Order within the run, from 1.';
comment on column run_rows.run_id is 'The run.';
comment on column run_rows.table_name is 'The table; digest: what a memory''s digest became, for later changes of the run.';
comment on table run_digests is 'What every memory was when the planning of a run began; emptied when the plan is complete.';
comment on column run_digests.run_id is 'The run.';
comment on column memories.usefulness is 'What its use says of it, -1 to 1; moved by consolidation alone.';
