; inherits: ecmascript
; Definitions
(function_signature name: (identifier) @name) @function
(abstract_class_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(enum_declaration name: (_) @name body: (_) @body) @enum
(type_alias_declaration name: (_) @name) @type
(internal_module name: (_) @name body: (_) @body) @module
(method_signature name: (_) @name) @method
(abstract_method_signature name: (_) @name) @method
(public_field_definition name: (_) @name value: (arrow_function body: (_) @body)) @method

; References
(class_heritage (extends_clause value: (identifier) @inherit))
(class_heritage (extends_clause value: (member_expression object: (_) @via property: (_) @inherit)))
(class_heritage (implements_clause [(type_identifier) @inherit (generic_type name: (type_identifier) @inherit)]))
(extends_type_clause type: [(type_identifier) @inherit (generic_type name: (type_identifier) @inherit)])
(extends_type_clause type: [
  (nested_type_identifier module: (_) @via name: (_) @inherit)
  (generic_type name: (nested_type_identifier module: (_) @via name: (_) @inherit))])

; Imports
(import_statement (import_require_clause (identifier) @imported source: (string) @module)) @import
