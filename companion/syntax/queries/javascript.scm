; inherits: ecmascript
(class_declaration (class_heritage (identifier) @inherit))
(class_declaration (class_heritage (member_expression object: (_) @via property: (_) @inherit)))
(class (class_heritage (identifier) @inherit))
