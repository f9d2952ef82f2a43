; Definitions
(namespace_declaration name: (_) @name body: (_) @body) @module
(file_scoped_namespace_declaration name: (_) @name) @module
(class_declaration name: (identifier) @name body: (_) @body) @class
(struct_declaration name: (identifier) @name body: (_) @body) @class
(record_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name body: (_) @body) @interface
(enum_declaration name: (identifier) @name body: (_) @body) @enum
(delegate_declaration name: (identifier) @name) @type
(method_declaration name: (identifier) @name body: (_) @body) @method
(method_declaration name: (identifier) @name !body) @method
(constructor_declaration name: (identifier) @name body: (_) @body) @method
(property_declaration name: (identifier) @name accessors: (_) @body) @method
(local_function_statement name: (identifier) @name body: (_) @body) @function
((field_declaration (modifier) @_m (variable_declaration (variable_declarator name: (identifier) @name))) @constant
  (#eq? @_m "const"))
(comment) @comment

; References
(invocation_expression function: (identifier) @call)
(invocation_expression function: (generic_name (identifier) @call))
(invocation_expression function: (member_access_expression expression: (_) @via name: (identifier) @call))
(invocation_expression function: (member_access_expression expression: (_) @via name: (generic_name (identifier) @call)))
(object_creation_expression type: [(identifier) @call (generic_name (identifier) @call)
  (qualified_name name: (identifier) @call)])
(base_list [(identifier) @inherit (generic_name (identifier) @inherit) (qualified_name name: (identifier) @inherit)
  (primary_constructor_base_type type: (identifier) @inherit)])
(attribute name: (identifier) @decorate (attribute_argument_list)? @with)

; Imports
(using_directive [(identifier) (qualified_name)] @module .) @import

; Shapes
((attribute name: (identifier) @verb (attribute_argument_list . (attribute_argument (string_literal) @path))?) @route
  (#any-of? @verb "HttpGet" "HttpPost" "HttpPut" "HttpPatch" "HttpDelete" "Route"))
((invocation_expression function: (member_access_expression expression: (_) @via name: (identifier) @verb)
  arguments: (argument_list . (argument (string_literal) @path) . (_) @handler)) @route
  (#any-of? @verb "MapGet" "MapPost" "MapPut" "MapPatch" "MapDelete"))
