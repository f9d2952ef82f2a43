-- The code of each checkout, as indexed.

create table code_files (
    checkout_id varchar not null,
    path varchar not null,
    language varchar not null,
    role varchar not null,
    content_hash varchar not null,
    size_bytes bigint not null,
    mtime_ns bigint not null,
    lines integer not null,
    doc varchar not null,
    skeleton varchar not null,
    skeleton_tokens integer not null,
    outline varchar not null,
    outline_tokens integer not null
);
comment on table code_files is 'Every readable file of a checkout; those without syntax have an empty skeleton.';
comment on column code_files.checkout_id is 'The checkout.';
comment on column code_files.path is 'Path in the repository.';
comment on column code_files.language is 'Language, empty if unknown.';
comment on column code_files.role is 'source, test, doc, config or other.';
comment on column code_files.content_hash is 'Git''s blob id of the bytes.';
comment on column code_files.size_bytes is 'Size in bytes.';
comment on column code_files.mtime_ns is 'Time of last change in nanoseconds, 0 if read from a commit.';
comment on column code_files.lines is 'Number of lines.';
comment on column code_files.doc is 'First sentence of its documentation.';
comment on column code_files.skeleton is 'Signatures with first sentences, redacted.';
comment on column code_files.skeleton_tokens is 'Exact tokens of the skeleton.';
comment on column code_files.outline is 'Names on a line or two.';
comment on column code_files.outline_tokens is 'Exact tokens of the outline.';

create table symbols (
    checkout_id varchar not null,
    path varchar not null,
    name varchar not null,
    qualname varchar not null,
    kind varchar not null,
    line integer not null,
    end_line integer not null,
    signature varchar not null,
    doc varchar not null,
    public boolean not null
);
comment on table symbols is 'Definitions.';
comment on column symbols.checkout_id is 'The checkout.';
comment on column symbols.path is 'The file.';
comment on column symbols.name is 'Its own name.';
comment on column symbols.qualname is 'With the enclosing names, joined by dots.';
comment on column symbols.kind is 'function, method, class, …';
comment on column symbols.line is 'First line, from 1.';
comment on column symbols.end_line is 'Last line.';
comment on column symbols.signature is 'Head of the definition on one line, redacted.';
comment on column symbols.doc is 'First sentence of its documentation, redacted.';
comment on column symbols.public is 'Whether it is meant for others.';

create table symbol_references (
    checkout_id varchar not null,
    path varchar not null,
    name varchar not null,
    kind varchar not null,
    qualifier varchar not null default '',
    uses integer not null,
    line integer not null
);
comment on table symbol_references is 'Names a file uses, folded by name, kind and qualifier.';
comment on column symbol_references.checkout_id is 'The checkout.';
comment on column symbol_references.path is 'The file.';
comment on column symbol_references.name is 'The name used.';
comment on column symbol_references.kind is 'call, inherit or decorate.';
comment on column symbol_references.qualifier is 'What the name is reached through, as written; empty: nothing.';
comment on column symbol_references.uses is 'How often.';
comment on column symbol_references.line is 'Where first, from 1.';

create table imports (
    checkout_id varchar not null,
    path varchar not null,
    module varchar not null,
    names varchar not null,
    line integer not null
);
comment on table imports is 'Imports as written.';
comment on column imports.checkout_id is 'The checkout.';
comment on column imports.path is 'The file.';
comment on column imports.module is 'What is imported.';
comment on column imports.names is 'Names brought in, separated by spaces.';
comment on column imports.line is 'Line, from 1.';

create table links (
    checkout_id varchar not null,
    source varchar not null,
    target varchar not null,
    kind varchar not null,
    weight double not null,
    names varchar not null
);
comment on table links is 'Which file depends on which.';
comment on column links.checkout_id is 'The checkout.';
comment on column links.source is 'The file that depends.';
comment on column links.target is 'The file depended on.';
comment on column links.kind is 'import, call, inherit or test.';
comment on column links.weight is 'Number of uses.';
comment on column links.names is 'Names used, separated by spaces.';

create table shapes (
    checkout_id varchar not null,
    path varchar not null,
    family varchar not null,
    key varchar not null,
    line integer not null,
    symbol varchar not null,
    slots json not null
);
comment on table shapes is 'Places where a recurring structure stands.';
comment on column shapes.checkout_id is 'The checkout.';
comment on column shapes.path is 'The file.';
comment on column shapes.family is 'endpoint, error handling, test, naming, class family, decorator or logging.';
comment on column shapes.key is 'What places are grouped by.';
comment on column shapes.line is 'Line, from 1.';
comment on column shapes.symbol is 'Definition it stands in.';
comment on column shapes.slots is 'Parts that vary.';
