; Definitions
((call target: (identifier) @_k (arguments . (alias) @name @to) (do_block)) @module
  (#any-of? @_k "defmodule" "defprotocol" "defimpl"))
((call target: (identifier) @_k (arguments . [(identifier) @name (call target: (identifier) @name)
  (binary_operator left: (identifier) @name) (binary_operator left: (call target: (identifier) @name))] @to)) @function
  (#any-of? @_k "def" "defp" "defdelegate" "defguard" "defguardp"))
((call target: (identifier) @_k (arguments . [(identifier) @name (call target: (identifier) @name)
  (binary_operator left: (identifier) @name) (binary_operator left: (call target: (identifier) @name))] @to)) @macro
  (#any-of? @_k "defmacro" "defmacrop"))
((unary_operator operand: (call target: (identifier) @_k (arguments . (binary_operator left: [(identifier) @name
  (call target: (identifier) @name)])))) @function (#any-of? @_k "callback" "macrocallback"))
((unary_operator operand: (call target: (identifier) @_k (arguments . (binary_operator left: [(identifier) @name
  (call target: (identifier) @name)])))) @type (#any-of? @_k "type" "typep" "opaque"))
((do_block (unary_operator operand: (call target: (identifier) @name (arguments)) @constant)) (#not-match? @name
  "^(module|type)?doc$|^(spec|impl|behaviour|derive|deprecated|since|dialyzer|compile|(module|describe)?tag|enforce_keys|external_resource|optional_callbacks|(before|after)_compile|on_definition|on_load|(macro)?callback|typep?|opaque)$"))
(comment) @comment

; References
((call target: (identifier) @call) (#not-match? @call
  "^(def[a-z]*|if|unless|case|cond|with|for|import|alias|require|use|raise|quote|unquote|receive|try|(module|type)?doc|spec|impl|behaviour|derive|typep?|opaque|(macro)?callback|describe|test)$"))
(call target: (dot left: (alias) @via right: (identifier) @call))
(struct (alias) @call)
((call target: (identifier) @_k (arguments . (alias) @inherit)) (#eq? @_k "use"))
((unary_operator operand: (call target: (identifier) @_k (arguments . (alias) @inherit))) (#eq? @_k "behaviour"))

; Imports
((call target: (identifier) @_k (arguments . (alias) @module)) @import (#any-of? @_k "alias" "import" "require" "use"))
((call target: (identifier) @_k (arguments . (alias) @module (keywords (pair key: (keyword) @_as value: (alias) @alias)))) @import
  (#eq? @_k "alias") (#match? @_as "^as:"))
((call target: (identifier) @_k (arguments . (dot left: (alias) @module right: (tuple (alias) @imported)))) @import
  (#any-of? @_k "alias" "import" "require" "use"))

; Shapes
((call target: (identifier) @verb (arguments . (string) @path) (do_block)) @block (#any-of? @verb "describe" "test"))
