; Definitions
(package_clause (package_identifier) @name) @module
(function_declaration name: (identifier) @name body: (_)? @body) @function
(method_declaration receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @owner
    (pointer_type (type_identifier) @owner)
    (generic_type type: (type_identifier) @owner)
    (pointer_type (generic_type type: (type_identifier) @owner))]))
  name: (field_identifier) @name body: (_)? @body) @method
(type_declaration (type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @class)
(type_declaration (type_spec name: (type_identifier) @name type: (interface_type)) @interface)
(type_declaration (type_spec name: (type_identifier) @name type: [(type_identifier) (qualified_type) (pointer_type)
  (map_type) (slice_type) (array_type) (function_type) (channel_type) (generic_type)]) @type)
(type_alias name: (type_identifier) @name) @type
(method_elem name: (field_identifier) @name) @method
(source_file (const_declaration (const_spec name: (identifier) @name) @constant))
(source_file (var_declaration (var_spec name: (identifier) @name) @constant))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @constant)))
(comment) @comment

; References
(call_expression function: (identifier) @call)
(call_expression function: (selector_expression operand: (_) @via field: (field_identifier) @call))
(call_expression function: (parenthesized_expression (unary_expression operand: (identifier) @call)))
(composite_literal type: (type_identifier) @call)
(composite_literal type: (qualified_type package: (_) @via name: (type_identifier) @call))
(struct_type (field_declaration_list (field_declaration !name type: (type_identifier) @inherit)))
(struct_type (field_declaration_list (field_declaration !name type: (qualified_type package: (_) @via name: (_) @inherit))))
(interface_type (type_elem . (type_identifier) @inherit .))
(interface_type (type_elem . (qualified_type package: (_) @via name: (_) @inherit) .))

; Imports
(import_spec !name path: (_) @module) @import
(import_spec name: (package_identifier) @alias path: (_) @module) @import
(import_spec name: [(dot) (blank_identifier)] path: (_) @module) @import

; Shapes
((call_expression function: (selector_expression operand: (identifier) @via field: (field_identifier) @verb)
  arguments: (argument_list . (interpreted_string_literal) @path . (_) @handler)) @block
  (#eq? @verb "Run"))
((call_expression function: (selector_expression operand: (_) @via field: (field_identifier) @verb)
  arguments: (argument_list . (interpreted_string_literal) @path . (_) @handler)) @route
  (#any-of? @verb "GET" "POST" "PUT" "PATCH" "DELETE" "HEAD" "OPTIONS" "Any" "Get" "Post" "Put" "Patch" "Delete"
    "Handle" "HandleFunc" "HandlerFunc" "Method"))
