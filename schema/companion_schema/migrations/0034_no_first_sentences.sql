-- What documentation says of code stands in passages; its first sentences were kept here a second time.

alter table code_files drop column doc;
alter table symbols drop column doc;
