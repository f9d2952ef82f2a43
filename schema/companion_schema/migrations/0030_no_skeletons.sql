-- Contexts show places of a file, with their lines, where they showed its signatures.

alter table code_files drop column skeleton;
alter table code_files drop column skeleton_tokens;
comment on table code_files is 'Every readable file of a checkout; those without syntax have an empty outline.';
