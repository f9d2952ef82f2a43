; Definitions; a pragma behind one is of it
(header "module" @module . module: (module) @module @name)
(declarations [(signature name: (variable) @name) (signature name: (prefix_id (operator) @name))
  (signature (binding_list . name: (variable) @name))] @function)
(declarations (function name: (variable) @name @to patterns: (_)? @to) @function . (pragma)? @function)
(declarations (function name: (prefix_id (operator) @name) @to patterns: (_)? @to) @function . (pragma)? @function)
(declarations (function (infix operator: [(operator) @name (infix_id (variable) @name)]) @to) @function . (pragma)? @function)
(declarations (bind name: [(variable) @name (prefix_id (operator) @name)] @to) @function . (pragma)? @function)
(declarations (foreign_import signature: (signature name: (variable) @name)) @function)
(declarations (data_type name: [(name) @name (prefix_id) @name] @to patterns: (_)? @to) @class)
(declarations (newtype name: (name) @name @to patterns: (_)? @to) @class)
(declarations [(type_synonym name: (name) @name) (type_family name: (name) @name) (data_family name: (name) @name)] @type)
(declarations (class name: (name) @name @to patterns: (_)? @to) @interface)
(class_declarations [(signature name: (variable) @name) (signature name: (prefix_id (operator) @name))
  (signature (binding_list . name: (variable) @name))] @function)
(class_declarations [(function name: (variable) @name) (bind name: [(variable) @name (prefix_id (operator) @name)])] @function)
(declarations (instance name: [(name) @owner (qualified id: (name) @owner)] patterns: (_) @name @to) @module)
(data_constructor [(record name: (constructor) @name @to) (prefix name: (constructor) @name)
  (infix operator: (constructor_operator) @name)]) @function
(newtype_constructor name: (constructor) @name @to) @function
(gadt_constructor name: (constructor) @name) @function
[(comment) (haddock)] @comment
(export [variable: (variable) @exports type: (name) @exports operator: (prefix_id (operator) @exports)])

; References
(apply function: [(variable) (constructor)] @call)
(infix left_operand: [(variable) (constructor)] @call operator: (operator) @_o
  (#any-of? @_o "." "$" "$!" "<$>" "<*>" "<$" "<$!>" ">>=" ">=>" "<>"))
(infix operator: (operator) @_o right_operand: [(variable) (constructor)] @call (#any-of? @_o "." ">>=" "=<<" "&"))
(infix_id (variable) @call)
((infix operator: (operator) @call) (#not-match? @call "^([-+*/.$!=&|<>^#]{1,2}|<\\$>|<\\*>|>>=|=<<|&&|===|\\.\\.)$"))
(qualified module: (module) @via id: [(variable) (constructor)] @call)
(record expression: (constructor) @call)
(instance name: (name) @inherit)
(instance name: (qualified module: (module) @via id: (name) @inherit))
(class context: (context (_ (apply constructor: (name) @inherit))))

; Imports
(import module: (module) @module) @import
((import module: (module) @module names: (import_list name: (import_name
  [(variable) @imported (name) @imported (prefix_id (operator) @imported)
  (children element: [(variable) (constructor)] @imported)]))) @import
  (#not-match? @import "\\shiding\\s"))
(import module: (module) @module alias: (module) @alias) @import

; Shapes
((apply function: (variable) @verb argument: (literal (string) @path)) @block (#any-of? @verb
  "describe" "context" "it" "specify" "prop" "test" "testCase" "testGroup" "testProperty"))
