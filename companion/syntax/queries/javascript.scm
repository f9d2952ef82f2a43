; inherits: ecmascript
(class_declaration (class_heritage (identifier) @inherit))
(class_declaration (class_heritage (member_expression object: (_) @via property: (_) @inherit)))
(class (class_heritage (identifier) @inherit))
(jsx_opening_element name: (identifier) @call)
(jsx_self_closing_element name: (identifier) @call)
(jsx_opening_element name: (member_expression object: (_) @via property: (_) @call))
(jsx_self_closing_element name: (member_expression object: (_) @via property: (_) @call))
