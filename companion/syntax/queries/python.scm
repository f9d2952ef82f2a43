; Definitions
(function_definition name: (identifier) @name body: (block) @body) @function
(class_definition name: (identifier) @name body: (block) @body) @class
(module (expression_statement (assignment left: (identifier) @name) @constant))
(module (expression_statement (assignment left: (identifier) @name type: (_) right: (_)) @constant))
(type_alias_statement left: (type (identifier) @name)) @type

(comment) @comment

; References
(call function: (identifier) @call)
(call function: (attribute object: (_) @via attribute: (identifier) @call))
(class_definition superclasses: (argument_list (identifier) @inherit))
(class_definition superclasses: (argument_list (attribute object: (_) @via attribute: (identifier) @inherit)))
(class_definition superclasses: (argument_list (subscript value: (identifier) @inherit)))
(class_definition superclasses: (argument_list
  (subscript value: (attribute object: (_) @via attribute: (identifier) @inherit))))
(decorator (identifier) @decorate)
(decorator (attribute object: (_) @via attribute: (identifier) @decorate))
(decorator (call function: (identifier) @decorate arguments: (argument_list) @with))
(decorator (call function: (attribute object: (_) @via attribute: (identifier) @decorate)
  arguments: (argument_list) @with))
((string . (string_start) . (string_content) @call . (string_end))
  (#match? @call "^[a-z_][a-z0-9_]*(\\.[a-z_][a-z0-9_]*)+\\.[A-Z][A-Za-z0-9]*$"))

; Imports
(import_statement name: (dotted_name) @module) @import
(import_statement name: (aliased_import name: (dotted_name) @module alias: (identifier) @alias)) @import
(import_from_statement module_name: (_) @module name: (dotted_name) @imported) @import
(import_from_statement module_name: (_) @module
  name: (aliased_import name: (dotted_name) @imported alias: (identifier) @alias)) @import
(import_from_statement module_name: (_) @module (wildcard_import)) @import

; Shapes
((call function: (attribute object: (_) @via attribute: (identifier) @verb)
  arguments: (argument_list . (string) @path)) @route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "head" "options" "route" "websocket" "api_route" "trace"))
((call function: (attribute object: (_) @via attribute: (identifier) @verb)
  arguments: (argument_list . (string) @path . [(identifier) (attribute) (lambda) (call)] @handler)) @route
  (#any-of? @verb "add_url_rule" "add_api_route" "add_route" "add_websocket_route" "add_get" "add_post" "Route"))
((call function: (identifier) @verb
  arguments: (argument_list . (string) @path . [(identifier) (attribute) (lambda) (call)] @handler)) @route
  (#any-of? @verb "path" "re_path" "url" "Route" "WebSocketRoute" "Mount"))
