-- What is remembered, with its evidence, its links and its use.

create table memories (
    id varchar primary key,
    project_id varchar not null,
    user_id varchar not null,
    memory_key varchar not null,
    kind varchar not null check (kind in ('fact', 'episode', 'pattern', 'workflow')),
    type varchar not null,
    subject varchar not null,
    attribute varchar not null,
    value varchar not null,
    content_full varchar not null,
    content_summary varchar not null,
    content_compressed varchar not null,
    content_index varchar not null check (length(content_index) <= 50),
    tokens_full integer not null,
    tokens_summary integer not null,
    tokens_compressed integer not null,
    tokens_index integer not null,
    body json,
    scope_language varchar not null default '',
    scope_path varchar not null default '',
    scope_environment varchar not null default '',
    scope_version varchar not null default '',
    scope_branch varchar not null default '',
    visibility varchar not null check (visibility in ('user-private', 'project-shared', 'system')),
    persona varchar not null default '',
    source varchar not null,
    learner varchar not null,
    origin varchar not null,
    confidence double not null,
    importance integer not null check (importance between 0 and 3),
    importance_floor integer not null default 0,
    pinned boolean not null default false,
    label varchar not null default '',
    status varchar not null check (status in ('active', 'archived')),
    archived_at timestamp,
    archived_reason varchar not null default '',
    created_at timestamp not null,
    valid_from timestamp,
    valid_to timestamp,
    last_access_at timestamp,
    retrieved_count integer not null default 0,
    cited_count integer not null default 0,
    ignored_count integer not null default 0,
    supersedes varchar not null default '',
    superseded_by varchar not null default ''
);
comment on table memories is 'Every memory and every earlier version of it.';
comment on column memories.id is 'Hash of key, source, origin and value, tagged m1; a later return of the same value gets a fresh one.';
comment on column memories.project_id is 'The project it belongs to.';
comment on column memories.user_id is 'The user whose store this is.';
comment on column memories.memory_key is 'Hash of kind, subject, attribute, scope, visibility, project and persona: what it speaks of.';
comment on column memories.kind is 'fact, episode, pattern or workflow.';
comment on column memories.type is 'Type of fact or of episode; empty for the others.';
comment on column memories.subject is 'What it is about.';
comment on column memories.attribute is 'Which property of the subject.';
comment on column memories.value is 'The canonical value, compared between versions and sources.';
comment on column memories.content_full is 'Everything, as text.';
comment on column memories.content_summary is 'A sentence or two.';
comment on column memories.content_compressed is 'A few words.';
comment on column memories.content_index is 'At most 50 characters.';
comment on column memories.tokens_full is 'Exact tokens of content_full.';
comment on column memories.tokens_summary is 'Exact tokens of content_summary.';
comment on column memories.tokens_compressed is 'Exact tokens of content_compressed.';
comment on column memories.tokens_index is 'Exact tokens of content_index.';
comment on column memories.body is 'What its kind knows beyond the value, tagged with the record''s name.';
comment on column memories.scope_language is 'Language it applies to; empty: all.';
comment on column memories.scope_path is 'Folder or file it applies to; empty: the project.';
comment on column memories.scope_environment is 'Environment it applies to; empty: all.';
comment on column memories.scope_version is 'Version it applies to; empty: all.';
comment on column memories.scope_branch is 'Branch it is known on alone; empty: all.';
comment on column memories.visibility is 'user-private, project-shared or system.';
comment on column memories.persona is 'The persona that alone sees it; empty: all.';
comment on column memories.source is 'How it came in: scan, by-hand, import, …';
comment on column memories.learner is 'Name of the kind that taught it.';
comment on column memories.origin is 'The path or stream it was read from.';
comment on column memories.confidence is 'How sure it is, 0 to 1.';
comment on column memories.importance is '0 trivial, 1 default, 2 significant, 3 critical.';
comment on column memories.importance_floor is 'What a person set; use never lowers below it.';
comment on column memories.pinned is 'Never archived; importance 3 while it lasts.';
comment on column memories.label is 'A person''s name for it.';
comment on column memories.status is 'active or archived.';
comment on column memories.archived_at is 'When it was archived, UTC.';
comment on column memories.archived_reason is 'Why it was archived.';
comment on column memories.created_at is 'When it was learned, UTC.';
comment on column memories.valid_from is 'Since when it is true, UTC; null: unknown.';
comment on column memories.valid_to is 'Until when it was true, UTC; null: still.';
comment on column memories.last_access_at is 'When it was last served, UTC.';
comment on column memories.retrieved_count is 'How often it was served.';
comment on column memories.cited_count is 'How often it influenced an action.';
comment on column memories.ignored_count is 'How often it was shown and not used.';
comment on column memories.supersedes is 'The version it replaced; empty: none.';
comment on column memories.superseded_by is 'The version that replaced it; empty: none.';

create table memory_evidence (
    memory_id varchar not null,
    ordinal integer not null,
    kind varchar not null,
    ref varchar not null,
    line integer,
    quote varchar not null default ''
);
comment on table memory_evidence is 'Where a memory can be checked.';
comment on column memory_evidence.memory_id is 'The memory.';
comment on column memory_evidence.ordinal is 'Order, from 0.';
comment on column memory_evidence.kind is 'file, commit, conversation, command or person.';
comment on column memory_evidence.ref is 'Path, commit id, conversation id, command or entity.';
comment on column memory_evidence.line is 'Line of a file, from 1.';
comment on column memory_evidence.quote is 'At most 200 characters of the source.';

create table memory_entities (
    project_id varchar not null,
    memory_id varchar not null,
    entity varchar not null
);
comment on table memory_entities is 'What memories refer to.';
comment on column memory_entities.project_id is 'The project.';
comment on column memory_entities.memory_id is 'The memory.';
comment on column memory_entities.entity is 'Key type:slug, e.g. file:src/app.py.';

create table memory_artifacts (
    memory_id varchar not null,
    kind varchar not null,
    ref varchar not null
);
comment on table memory_artifacts is 'What an episode made or changed.';
comment on column memory_artifacts.memory_id is 'The episode.';
comment on column memory_artifacts.kind is 'commit, pr, adr, file or issue.';
comment on column memory_artifacts.ref is 'Commit id, number or path.';

create table contradictions (
    id varchar primary key,
    project_id varchar not null,
    memory_a varchar not null,
    memory_b varchar not null,
    reason varchar not null,
    confidence double not null,
    detected_at timestamp not null,
    resolved_at timestamp,
    resolution varchar check (resolution in ('a_wins', 'b_wins', 'both_valid', 'merged')),
    note varchar not null default ''
);
comment on table contradictions is 'Pairs of memories that cannot both hold.';
comment on column contradictions.id is 'Hash of the pair, tagged x1.';
comment on column contradictions.project_id is 'The project.';
comment on column contradictions.memory_a is 'The older memory.';
comment on column contradictions.memory_b is 'The newer memory.';
comment on column contradictions.reason is 'Why they conflict, in a sentence.';
comment on column contradictions.confidence is 'How sure that is, 0 to 1.';
comment on column contradictions.detected_at is 'When it was found, UTC.';
comment on column contradictions.resolved_at is 'When it was settled, UTC; null: open.';
comment on column contradictions.resolution is 'How it was settled; null: open.';
comment on column contradictions.note is 'What was said when it was settled.';

create table usage_log (
    memory_id varchar not null,
    what varchar not null check (what in ('retrieved', 'cited', 'ignored')),
    used_at timestamp not null,
    context varchar not null default ''
);
comment on table usage_log is 'Each time a memory was served, influenced an action or was passed over.';
comment on column usage_log.memory_id is 'The memory.';
comment on column usage_log.what is 'retrieved, cited or ignored.';
comment on column usage_log.used_at is 'When, UTC.';
comment on column usage_log.context is 'For what: a path, or an action''s name.';

create table embeddings (
    text_hash varchar not null,
    model varchar not null,
    vector float[] not null,
    primary key (text_hash, model)
);
comment on table embeddings is 'Vectors of texts, one for each text and model, however many memories say it.';
comment on column embeddings.text_hash is 'SHA-256 of the text, first 32 digits.';
comment on column embeddings.model is 'Name and checksum of the model.';
comment on column embeddings.vector is 'Unit vector.';
