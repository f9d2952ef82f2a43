; Definitions
(package_clause name: (_) @name) @module
(class_definition name: (identifier) @name body: (_)? @body) @class
(object_definition name: (identifier) @name body: (_)? @body) @class
(trait_definition name: (identifier) @name body: (_)? @body) @interface
(enum_definition name: (identifier) @name body: (_) @body) @enum
(function_definition name: (_) @name body: (_) @body) @function
(function_declaration name: (_) @name) @function
(type_definition name: (_) @name) @type
(template_body (val_definition pattern: (identifier) @name) @constant)
(comment) @comment
(block_comment) @comment

; References
(call_expression function: (identifier) @call)
(call_expression function: (field_expression value: (_) @via field: (identifier) @call))
(instance_expression (type_identifier) @call)
(extends_clause type: [(type_identifier) @inherit (generic_type type: (type_identifier) @inherit)])
(annotation name: (_) @decorate)

; Imports
(import_declaration) @import @module

; Shapes
