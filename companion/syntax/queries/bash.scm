; Definitions
(function_definition name: (word) @name body: (_) @body) @function
(program (variable_assignment name: (variable_name) @name) @constant)
(program (declaration_command (variable_assignment name: (variable_name) @name)) @constant)
(comment) @comment

; References
(command name: (command_name (word) @call))

; Imports
((command name: (command_name (word) @_c) . argument: (_) @module) @import (#any-of? @_c "source" "."))
