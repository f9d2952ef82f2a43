; Definitions
(function_definition declarator: (function_declarator declarator: (identifier) @name) body: (_) @body) @function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
  body: (_) @body) @function
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator
  declarator: (function_declarator declarator: (identifier) @name))) body: (_) @body) @function
(declaration declarator: (function_declarator declarator: (identifier) @name)) @function
(declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @function
(struct_specifier name: (type_identifier) @name body: (_) @body) @class
(union_specifier name: (type_identifier) @name body: (_) @body) @class
(enum_specifier name: (type_identifier) @name body: (_) @body) @enum
(type_definition type: [(type_identifier) (primitive_type) (sized_type_specifier) (struct_specifier !body)
  (union_specifier !body) (enum_specifier !body)] declarator: (type_identifier) @name) @type
(type_definition declarator: (pointer_declarator declarator: (type_identifier) @name)) @type
(type_definition type: [(struct_specifier !name body: (_) @body) (union_specifier !name body: (_) @body)]
  declarator: (type_identifier) @name) @class
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @enum
(type_definition declarator: (function_declarator
  declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))) @type
(preproc_def name: (identifier) @name value: (_)) @constant
(preproc_function_def name: (identifier) @name value: (_)? @body) @macro
(translation_unit (declaration declarator: (init_declarator declarator: (identifier) @name)) @constant)
(translation_unit (declaration declarator: (init_declarator declarator: (array_declarator declarator: (identifier) @name))) @constant)
(comment) @comment

; References
(call_expression function: (identifier) @call)
(call_expression function: (field_expression argument: (_) @via field: (field_identifier) @call))

; Imports
(preproc_include path: (_) @module) @import

; Shapes
