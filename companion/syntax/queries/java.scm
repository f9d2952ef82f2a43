; Definitions
(package_declaration (_) @name) @module
(class_declaration name: (identifier) @name body: (_) @body) @class
(record_declaration name: (identifier) @name body: (_) @body) @class
(interface_declaration name: (identifier) @name body: (_) @body) @interface
(annotation_type_declaration name: (identifier) @name body: (_) @body) @interface
(enum_declaration name: (identifier) @name body: (_) @body) @enum
(method_declaration name: (identifier) @name body: (_) @body) @method
(method_declaration name: (identifier) @name !body) @method
(constructor_declaration name: (identifier) @name body: (_) @body) @method
((field_declaration (modifiers) @_m declarator: (variable_declarator name: (identifier) @name)) @constant
  (#match? @_m "static[^@]*final|final[^@]*static"))
(line_comment) @comment
(block_comment) @comment

; References
(method_invocation !object name: (identifier) @call)
(method_invocation object: (_) @via name: (identifier) @call)
(object_creation_expression type: [(type_identifier) @call (generic_type (type_identifier) @call)
  (scoped_type_identifier (type_identifier) @call .)])
(method_reference . (_) @via (identifier) @call .)
(superclass [(type_identifier) @inherit (generic_type (type_identifier) @inherit)
  (scoped_type_identifier (type_identifier) @inherit .)])
(super_interfaces (type_list [(type_identifier) @inherit (generic_type (type_identifier) @inherit)]))
(extends_interfaces (type_list [(type_identifier) @inherit (generic_type (type_identifier) @inherit)]))
(class_declaration (modifiers [(marker_annotation name: (_) @decorate)
  (annotation name: (_) @decorate arguments: (_) @with)]))
(interface_declaration (modifiers [(marker_annotation name: (_) @decorate)
  (annotation name: (_) @decorate arguments: (_) @with)]))
(method_declaration (modifiers [(marker_annotation name: (_) @decorate)
  (annotation name: (_) @decorate arguments: (_) @with)]))
(constructor_declaration (modifiers [(marker_annotation name: (_) @decorate)
  (annotation name: (_) @decorate arguments: (_) @with)]))

; Imports
(import_declaration (scoped_identifier) @module) @import

; Shapes
((annotation name: (identifier) @verb arguments: (annotation_argument_list
    [(string_literal) @path (element_value_pair key: (identifier) @_k value: (string_literal) @path)])) @route
  (#any-of? @verb "GetMapping" "PostMapping" "PutMapping" "PatchMapping" "DeleteMapping" "RequestMapping" "Path"))
((marker_annotation name: (identifier) @verb) @route
  (#any-of? @verb "GetMapping" "PostMapping" "PutMapping" "PatchMapping" "DeleteMapping"))
