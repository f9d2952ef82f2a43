; Definitions: a body stands beside its signature, and a constructor's name right before its parameters
(class_definition name: (identifier) @name body: (_) @body) @class
(class_definition (mixin_application_class . (identifier) @name)) @class
(mixin_declaration (identifier) @name (class_body) @body) @class
(extension_declaration name: (identifier) @name body: (_) @body) @class
(extension_declaration !name class: (type_identifier) @name body: (_) @body) @within
(extension_type_declaration name: (identifier) @name body: (_) @body) @class
(enum_declaration name: (identifier) @name body: (_) @body) @enum
(type_alias (type_identifier) @name . (type_parameters)? . "=") @type
(type_alias (type_identifier) @name . (type_parameters)? . (formal_parameter_list)) @type
(program ([(function_signature name: (identifier) @name) (getter_signature name: (identifier) @name)
  (setter_signature name: (identifier) @name)] @function @to . (function_body)? @function))
(_ ((method_signature [(function_signature name: (identifier) @name) (getter_signature name: (identifier) @name)
  (setter_signature name: (identifier) @name)]) @function @to . (function_body) @function))
(_ ((method_signature (operator_signature "operator" @name . (_)? @name (formal_parameter_list) @to)) @function
  . (function_body) @function))
(_ ((method_signature [(constructor_signature (identifier) @name . (formal_parameter_list) @to)
  (factory_constructor_signature (identifier) @name . (formal_parameter_list) @to)]) @function . (function_body) @function))
(declaration [(function_signature name: (identifier) @name) (getter_signature name: (identifier) @name)
  (setter_signature name: (identifier) @name)]) @function
(declaration [(constructor_signature (identifier) @name . (formal_parameter_list) @to)
  (constant_constructor_signature (identifier) @name . (formal_parameter_list) @to)
  (factory_constructor_signature (identifier) @name . (formal_parameter_list) @to)
  (redirecting_factory_constructor_signature (identifier) @name . (formal_parameter_list) @to)]) @function
(local_function_declaration (lambda_expression parameters: (function_signature name: (identifier) @name) @to)) @function
(program (static_final_declaration_list (static_final_declaration . (identifier) @name) @constant))
(program (initialized_identifier_list (initialized_identifier . (identifier) @name) @constant))
(declaration "static" (static_final_declaration_list (static_final_declaration . (identifier) @name))) @constant
(comment) @comment
(documentation_comment) @comment

; References
((identifier) @call . (selector (argument_part)))
((_) @via . (selector (_ (identifier) @call)) . (selector (argument_part)))
((super) @via . (unconditional_assignable_selector (identifier) @call) . (selector (argument_part)))
(cascade_section (cascade_selector (identifier) @call) . (argument_part))
(const_object_expression (type_identifier) @call . (type_arguments)? . (arguments))
(const_object_expression (type_identifier) @via . (type_arguments)? . (identifier) @call)
(new_expression (type_identifier) @call . (type_arguments)? . (arguments))
(new_expression (type_identifier) @via . (type_arguments)? . (identifier) @call)
([(superclass "extends" . (type_identifier) @inherit . [(type_arguments) (mixins)]) (superclass . (type_identifier) @inherit .)
  (mixins ["with" ","] . (type_identifier) @inherit . ["," (type_arguments)])
  (mixins ["with" ","] . (type_identifier) @inherit .)
  (interfaces ["implements" ","] . (type_identifier) @inherit . ["," (type_arguments)])
  (interfaces ["implements" ","] . (type_identifier) @inherit .)
  (mixin_declaration ["on" ","] . (type_identifier) @inherit . ["," (type_arguments) (interfaces) (class_body)])
  (mixin_application . (type_identifier) @inherit . [(type_arguments) (mixins)])])
([(superclass (type_identifier) @via . "." . (type_identifier) @inherit)
  (mixins (type_identifier) @via . "." . (type_identifier) @inherit)
  (interfaces (type_identifier) @via . "." . (type_identifier) @inherit)])
(annotation name: (identifier) @decorate)

; Imports
(library_import (import_specification (configurable_uri (uri (string_literal) @module)))) @import
(library_import (import_specification (configurable_uri (uri (string_literal) @module)) (combinator "show" (identifier) @imported))) @import
(library_import (import_specification (configurable_uri (uri (string_literal) @module)) (identifier) @alias)) @import
(library_export (configurable_uri (uri (string_literal) @module))) @import
(part_directive (uri (string_literal) @module)) @import
(part_of_directive (uri (string_literal) @module)) @import

; Shapes
((identifier) @verb @block . (selector (argument_part (arguments . (argument (string_literal) @path))))
  (#match? @verb "^(group|test|testWidgets|[a-z]+Test)$"))
