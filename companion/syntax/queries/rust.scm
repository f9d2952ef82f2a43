; Definitions
(function_item name: (identifier) @name body: (_) @body) @function
(function_signature_item name: (identifier) @name) @function
(struct_item name: (type_identifier) @name body: (field_declaration_list) @body) @class
(struct_item name: (type_identifier) @name) @class
(union_item name: (type_identifier) @name body: (_) @body) @class
(enum_item name: (type_identifier) @name body: (_) @body) @enum
(trait_item name: (type_identifier) @name body: (_) @body) @interface
(type_item name: (type_identifier) @name) @type
(mod_item name: (identifier) @name body: (_) @body) @module
(const_item name: (identifier) @name) @constant
(static_item name: (identifier) @name) @constant
(macro_definition name: (identifier) @name) @macro
(impl_item type: [(type_identifier) @name (generic_type type: (type_identifier) @name)
  (reference_type type: (type_identifier) @name) (scoped_type_identifier name: (_) @name)
  (generic_type type: (scoped_type_identifier name: (_) @name))]) @within
(line_comment) @comment
(block_comment) @comment

; References
(call_expression function: (identifier) @call)
(call_expression function: (field_expression value: (_) @via field: (field_identifier) @call))
(call_expression function: (scoped_identifier path: (_) @via name: (identifier) @call))
(call_expression function: (generic_function function: (identifier) @call))
(call_expression function: (generic_function function: (scoped_identifier path: (_) @via name: (identifier) @call)))
(call_expression function: (generic_function function: (field_expression value: (_) @via field: (field_identifier) @call)))
(struct_expression name: (type_identifier) @call)
(struct_expression name: (scoped_type_identifier path: (_) @via name: (_) @call))
(macro_invocation macro: (identifier) @call)
(macro_invocation macro: (scoped_identifier path: (_) @via name: (identifier) @call))
(impl_item trait: [(type_identifier) @inherit (generic_type type: (type_identifier) @inherit)])
(impl_item trait: [(scoped_type_identifier path: (_) @via name: (_) @inherit)
  (generic_type type: (scoped_type_identifier path: (_) @via name: (_) @inherit))])
(trait_item bounds: (trait_bounds (type_identifier) @inherit))
(attribute_item (attribute (identifier) @decorate arguments: (_)? @with))
(attribute_item (attribute (scoped_identifier path: (_) @via name: (_) @decorate) arguments: (_)? @with))

; Imports: the argument of `use` as written, taken apart when it is resolved
(use_declaration argument: (_) @module) @import
(mod_item "mod" @relative name: (identifier) @module !body) @import

; Shapes
((attribute_item (attribute (identifier) @verb arguments: (token_tree . (string_literal) @path))) @route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "head" "options" "route"))
((call_expression function: (field_expression value: (_) @via field: (field_identifier) @verb)
  arguments: (arguments . (string_literal) @path . (_) @handler)) @route
  (#any-of? @verb "route" "nest" "service" "resource"))
