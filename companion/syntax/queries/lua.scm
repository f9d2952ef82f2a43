; Definitions
(function_declaration name: (_) @name parameters: (_) @to) @function
(chunk (assignment_statement (variable_list name: (_) @name)
  (expression_list value: (function_definition parameters: (_) @to))) @function)
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name)
  (expression_list value: (function_definition parameters: (_) @to)))) @function)
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name))) @constant)
(comment) @comment

; References
(function_call name: (identifier) @call)
(function_call name: (dot_index_expression table: (_) @via field: (identifier) @call))
(function_call name: (method_index_expression table: (_) @via method: (identifier) @call))

; Imports
((function_call name: (identifier) @_r arguments: (arguments (string) @module)) @import (#eq? @_r "require"))
((variable_declaration (assignment_statement (variable_list name: (identifier) @imported)
  (expression_list value: (function_call name: (identifier) @_r arguments: (arguments (string) @module)) @import)))
  (#eq? @_r "require"))

; Shapes
((function_call name: (identifier) @verb arguments: (arguments . (string) @path)) @block (#any-of? @verb "describe" "it" "context"))
