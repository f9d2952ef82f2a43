-- Who works where is counted from the commits as they are read, and the days of work are those of the commits.

drop table ownership;
drop table activity;
