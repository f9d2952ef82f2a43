-- A row of what files declare is found by the sentence that says it; the next scan reads those files again.

alter table declared add column told varchar default '';
comment on column declared.told is 'The sentence in which people say it, by which a search finds it; empty where subject and value do.';

insert into unlearned (checkout_id, path)
select distinct checkout_id, path
from declared
where path <> ''
except
select checkout_id, path
from unlearned;
