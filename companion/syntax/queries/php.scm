; Definitions
(namespace_definition name: (namespace_name) @name) @module
(class_declaration name: (name) @name body: (_) @body) @class
(interface_declaration name: (name) @name body: (_) @body) @interface
(trait_declaration name: (name) @name body: (_) @body) @class
(enum_declaration name: (name) @name body: (_) @body) @enum
(function_definition name: (name) @name body: (_) @body) @function
(method_declaration name: (name) @name body: (_) @body) @method
(method_declaration name: (name) @name !body) @method
(const_declaration (const_element . (name) @name)) @constant
(comment) @comment

; References
(function_call_expression function: [(name) @call (qualified_name (name) @call)])
(member_call_expression object: (_) @via name: (name) @call)
(nullsafe_member_call_expression object: (_) @via name: (name) @call)
(scoped_call_expression scope: (_) @via name: (name) @call)
(scoped_call_expression scope: (name) @call)
(object_creation_expression [(name) @call (qualified_name (name) @call)])
(base_clause [(name) @inherit (qualified_name (name) @inherit)])
(class_interface_clause [(name) @inherit (qualified_name (name) @inherit)])
(use_declaration [(name) @inherit (qualified_name (name) @inherit)])
(attribute [(name) @decorate (qualified_name (name) @decorate)] parameters: (_)? @with)

; Imports
(namespace_use_declaration (namespace_use_clause . [(name) (qualified_name)] @module)) @import
(namespace_use_declaration (namespace_name) @module
  body: (namespace_use_group (namespace_use_clause (_) @imported))) @import
(namespace_use_declaration (namespace_use_clause . (qualified_name) @module alias: (name) @alias)) @import
(require_expression (_) @module) @import
(require_once_expression (_) @module) @import
(include_expression (_) @module) @import
(include_once_expression (_) @module) @import

; Shapes
((scoped_call_expression scope: (name) @via name: (name) @verb
  arguments: (arguments . (argument (_) @path) . (argument (_) @handler))) @route
  (#eq? @via "Route")
  (#any-of? @verb "get" "post" "put" "patch" "delete" "any" "match" "resource" "apiResource" "view" "redirect"))
((member_call_expression object: (_) @via name: (name) @verb
  arguments: (arguments . (argument [(string) (encapsed_string)] @path) . (argument (_) @handler))) @route
  (#any-of? @verb "get" "post" "put" "patch" "delete" "any" "options" "map" "group"))
((attribute [(name) (qualified_name)] @verb parameters: (arguments . (argument (_) @path))) @route (#eq? @verb "Route"))
((function_call_expression function: (name) @verb arguments: (arguments . (argument [(string) (encapsed_string)] @path))) @block
  (#any-of? @verb "it" "test" "describe"))
