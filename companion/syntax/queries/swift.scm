; Definitions
(class_declaration declaration_kind: ["class" "struct" "actor"] name: (type_identifier) @name body: (_) @body) @class
(class_declaration declaration_kind: "enum" name: (type_identifier) @name body: (_) @body) @enum
(class_declaration declaration_kind: "extension" name: (user_type (type_identifier) @name) body: (_) @body) @within
(protocol_declaration name: (type_identifier) @name body: (_) @body) @interface
(function_declaration name: (simple_identifier) @name body: (_)? @body) @function
(protocol_function_declaration name: (simple_identifier) @name) @function
(init_declaration "init" @name body: (_)? @body) @function
(typealias_declaration name: (type_identifier) @name) @type
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @constant)
(comment) @comment
(multiline_comment) @comment

; References
(call_expression . (simple_identifier) @call)
(call_expression . (navigation_expression target: (_) @via suffix: (navigation_suffix suffix: (simple_identifier) @call)))
(inheritance_specifier inherits_from: (user_type (type_identifier) @inherit))
(attribute (user_type (type_identifier) @decorate))

; Imports
(import_declaration (_) @module) @import

; Shapes
