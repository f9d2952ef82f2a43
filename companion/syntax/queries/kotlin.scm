; Definitions
(package_header (qualified_identifier) @name) @module
(class_declaration "interface" name: (identifier) @name (class_body) @body) @interface
(class_declaration "class" name: (identifier) @name (class_body) @body) @class
(class_declaration name: (identifier) @name (enum_class_body) @body) @enum
(class_declaration name: (identifier) @name) @class
(object_declaration name: (identifier) @name (class_body)? @body) @class
(function_declaration name: (identifier) @name (function_body)? @body) @function
(type_alias (identifier) @name) @type
(source_file (property_declaration (variable_declaration (identifier) @name)) @constant)
(line_comment) @comment
(block_comment) @comment

; References
(call_expression . (identifier) @call)
(call_expression . (navigation_expression . (_) @via (identifier) @call .))
(delegation_specifier [(user_type (identifier) @inherit .) (constructor_invocation (user_type (identifier) @inherit .))])
(annotation [(user_type (identifier) @decorate) (constructor_invocation (user_type (identifier) @decorate) (value_arguments) @with)])

; Imports
(import (qualified_identifier) @module) @import

; Shapes
