; What JavaScript and TypeScript have in common; both inherit it
; Definitions
(function_declaration name: (identifier) @name body: (_) @body) @function
(generator_function_declaration name: (identifier) @name body: (_) @body) @function
(class_declaration name: (_) @name body: (_) @body) @class
(method_definition name: (_) @name body: (_) @body) @method
(variable_declarator name: (identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @class
(assignment_expression left: (member_expression property: (property_identifier) @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @function
(program (lexical_declaration (variable_declarator name: (identifier) @name) @constant))
(program (variable_declaration (variable_declarator name: (identifier) @name) @constant))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @constant)))
(program (lexical_declaration (variable_declarator value: (object
  (pair key: (property_identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @function))))
(program (export_statement (_ (variable_declarator value: (object
  (pair key: (property_identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @function)))))
(export_statement "default" value: (object
  (pair key: (property_identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @function))

; What is exported
(export_statement) @exported
(export_specifier name: (identifier) @exports)
(export_statement "default" value: (identifier) @exports)
(assignment_expression left: (member_expression object: (identifier) @_o property: (property_identifier) @exports)
  (#eq? @_o "exports"))
(assignment_expression left: (member_expression object: (member_expression property: (property_identifier) @_p)
  property: (property_identifier) @exports) (#eq? @_p "exports"))
(assignment_expression left: (member_expression object: (identifier) @_o property: (property_identifier) @_p)
  right: (identifier) @exports (#eq? @_o "module") (#eq? @_p "exports"))
(assignment_expression left: (member_expression object: (identifier) @_o property: (property_identifier) @_p)
  right: (object (shorthand_property_identifier) @exports) (#eq? @_o "module") (#eq? @_p "exports"))
(assignment_expression left: (member_expression object: (identifier) @_o property: (property_identifier) @_p)
  right: (object (pair value: (identifier) @exports)) (#eq? @_o "module") (#eq? @_p "exports"))

(comment) @comment

; References
(call_expression function: (identifier) @call)
(call_expression function: (member_expression object: (_) @via property: (_) @call))
(new_expression constructor: (identifier) @call)
(new_expression constructor: (member_expression object: (_) @via property: (_) @call))
(decorator (identifier) @decorate)
(decorator (call_expression function: (identifier) @decorate arguments: (_) @with))
(decorator (call_expression function: (member_expression object: (_) @via property: (_) @decorate) arguments: (_) @with))

; Imports
(import_statement source: (string) @module) @import
(import_statement (import_clause (identifier) @imported) source: (string) @module) @import
(import_statement (import_clause (named_imports (import_specifier name: (identifier) @imported . ))) source: (string) @module) @import
(import_statement (import_clause (named_imports (import_specifier name: (identifier) @imported alias: (identifier) @alias)))
  source: (string) @module) @import
(import_statement (import_clause (namespace_import (identifier) @alias)) source: (string) @module) @import
(export_statement source: (string) @module) @import
(export_statement (export_clause (export_specifier name: (identifier) @imported)) source: (string) @module) @import
((call_expression function: (identifier) @_f arguments: (arguments . (string) @module)) @import (#eq? @_f "require"))
((variable_declarator name: (identifier) @imported
  value: (call_expression function: (identifier) @_f arguments: (arguments . (string) @module)) @import) (#eq? @_f "require"))
((variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @imported)
  value: (call_expression function: (identifier) @_f arguments: (arguments . (string) @module)) @import) (#eq? @_f "require"))
(call_expression function: (import) arguments: (arguments . (string) @module)) @import

; Shapes
((call_expression function: (identifier) @verb arguments: (arguments . [(string) (template_string)] @path)) @block
  (#any-of? @verb "describe" "it" "test" "suite" "context" "specify"))
((call_expression function: (member_expression object: (identifier) @verb property: (property_identifier) @variant)
  arguments: (arguments . [(string) (template_string)] @path)) @block
  (#any-of? @verb "describe" "it" "test" "suite"))
((call_expression function: (member_expression object: (_) @via property: (property_identifier) @verb)
  arguments: (arguments . [(string) (template_string)] @path . (_) @handler)) @route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "head" "options" "all" "use" "route"))
((decorator (call_expression function: (identifier) @verb arguments: (arguments . (string)? @path))) @route
  (#any-of? @verb "Get" "Post" "Put" "Patch" "Delete" "Head" "Options" "All"))
