-- Two indexes that no question used: DuckDB looks into an index of several columns only for keys that must be unique.

drop index if exists commands_by_time;
drop index if exists sightings_by_error;
