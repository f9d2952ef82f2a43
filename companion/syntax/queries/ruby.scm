; Definitions
(module name: (_) @name @to) @module
(class name: (_) @name superclass: (_) @to) @class
(class name: (_) @name @to !superclass) @class
(singleton_class value: (self) @name) @within
(method name: (_) @name parameters: (_) @to) @function
(method name: (_) @name @to !parameters) @function
(singleton_method name: (_) @name parameters: (_) @to) @function
(singleton_method name: (_) @name @to !parameters) @function
(program (assignment left: (constant) @name) @constant)
(body_statement (assignment left: (constant) @name) @constant)
((identifier) @private (#eq? @private "private"))
(comment) @comment

; References
(call !receiver method: (identifier) @call)
(call receiver: (_) @via method: (identifier) @call)
(call receiver: (constant) @call method: (identifier) @_new (#eq? @_new "new"))
(call receiver: (scope_resolution name: (constant) @call) method: (identifier) @_new (#eq? @_new "new"))
(superclass [(constant) @inherit (scope_resolution scope: (_) @via name: (constant) @inherit)])
((call !receiver method: (identifier) @_m arguments: (argument_list [(constant) @inherit
  (scope_resolution scope: (_) @via name: (constant) @inherit)])) (#any-of? @_m "include" "extend" "prepend"))

; Imports
((call !receiver method: (identifier) @_m arguments: (argument_list . (string) @module)) @import
  (#any-of? @_m "require" "load"))
((call !receiver method: (identifier) @relative arguments: (argument_list . (string) @module)) @import
  (#eq? @relative "require_relative"))
((call !receiver method: (identifier) @_m arguments: (argument_list . (simple_symbol) (string) @module)) @import
  (#eq? @_m "autoload"))

; Shapes
((call !receiver method: (identifier) @verb arguments: (argument_list . (string) @path) block: (_)) @route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "head" "options" "link" "unlink"))
((call !receiver method: (identifier) @verb arguments: (argument_list . (string) @path . (pair) @handler)) @route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "match"))
((call !receiver method: (identifier) @verb arguments: (argument_list . (simple_symbol) @path)) @route
  (#any-of? @verb "resources" "resource"))
((call method: (identifier) @verb arguments: (argument_list . (_) @path) block: (_)) @block
  (#any-of? @verb "describe" "context" "it" "specify" "test" "scenario" "feature"))
