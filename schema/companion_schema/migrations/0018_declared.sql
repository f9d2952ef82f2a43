-- What manifests, owners' files, task files and CI files declare: a table one can ask, made anew by each scan that
-- finds one of them changed.

create table declared (
    checkout_id varchar not null,
    path varchar not null,
    line integer not null,
    subject varchar not null,
    value varchar not null,
    tokens integer not null
);
comment on table declared is 'What files of settings say: dependencies, owners, plain settings, CI jobs, scripts, targets.';
comment on column declared.checkout_id is 'The checkout.';
comment on column declared.path is 'The file; empty where git says it.';
comment on column declared.line is 'Line, from 1; 0 for a whole file.';
comment on column declared.subject is 'What it is about: a dependency, a setting, a target.';
comment on column declared.value is 'What is said of it, redacted.';
comment on column declared.tokens is 'Exact tokens of both on one line.';

insert into unlearned (checkout_id, path)
select checkout_id, path
from code_files
except
select checkout_id, path
from unlearned;

-- Where something is raised, logged or decorated says nothing that a new piece must have.
delete from shapes
where family in ('error handling', 'decorator', 'logging');
