; inherits: c
; Definitions
(namespace_definition name: (_) @name body: (_) @body) @module
(class_specifier name: (_) @name body: (_) @body) @class
(struct_specifier name: (template_type name: (type_identifier) @name) body: (_) @body) @class
(function_definition declarator: (function_declarator declarator: [(field_identifier) (qualified_identifier)
  (destructor_name) (operator_name)] @name) body: (_) @body) @function
(function_definition declarator: (function_declarator declarator: [(field_identifier) (qualified_identifier) (identifier)
  (destructor_name) (operator_name)] @name) (default_method_clause)) @function
(function_definition declarator: (reference_declarator (function_declarator declarator: (_) @name)) body: (_) @body) @function
(function_definition declarator: (pointer_declarator (function_declarator declarator: [(field_identifier)
  (qualified_identifier)] @name)) body: (_) @body) @function
(field_declaration declarator: (function_declarator declarator: (field_identifier) @name)) @method
(field_declaration declarator: (reference_declarator (function_declarator declarator: (field_identifier) @name))) @method
(field_declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name))) @method
(declaration declarator: (reference_declarator (function_declarator declarator: (identifier) @name))) @function
(alias_declaration name: (type_identifier) @name) @type
(concept_definition name: (identifier) @name) @interface

; References
(call_expression function: (qualified_identifier scope: (_) @via name: (identifier) @call))
(call_expression function: (template_function name: (identifier) @call))
(call_expression function: (qualified_identifier scope: (_) @via name: (template_function name: (identifier) @call)))
(call_expression function: (qualified_identifier name: (qualified_identifier scope: (_) @via name: (identifier) @call)))
(new_expression type: (type_identifier) @call)
(new_expression type: (qualified_identifier scope: (_) @via name: (type_identifier) @call))
(base_class_clause [(type_identifier) @inherit (template_type name: (type_identifier) @inherit)])
(base_class_clause (qualified_identifier scope: (_) @via name: [(type_identifier) @inherit
  (template_type name: (type_identifier) @inherit)]))

; Shapes
((expression_statement (call_expression function: (identifier) @verb arguments: (argument_list . [(string_literal)
  (concatenated_string) (raw_string_literal) (binary_expression)] @path))) @block . (compound_statement)
  (#any-of? @verb "TEST_CASE" "SCENARIO"))
((expression_statement (call_expression function: (identifier) @verb arguments: (argument_list . (_) . [(string_literal)
  (concatenated_string) (raw_string_literal) (binary_expression)] @path))) @block . (compound_statement)
  (#any-of? @verb "TEST_CASE_METHOD" "TEST_CASE_FIXTURE" "SCENARIO_METHOD"))
