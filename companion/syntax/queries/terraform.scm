; Definitions, each under the address by which others name it
((config_file (body (block . (identifier) @_k . (string_lit (template_literal) @owner) . (string_lit (template_literal) @name)
  . (block_start) @body) @class)) (#eq? @_k "resource"))
((config_file (body (block . (identifier) @owner.data . (string_lit (template_literal) @owner) . (string_lit (template_literal) @name)
  . (block_start) @body) @class)) (#eq? @owner.data "data"))
((config_file (body (block . (identifier) @owner.module . (string_lit (template_literal) @name) . (block_start) @body) @class))
  (#eq? @owner.module "module"))
((config_file (body (block . (identifier) @owner.var . (string_lit (template_literal) @name) . (block_start) @body) @constant))
  (#eq? @owner.var "variable"))
((config_file (body (block . (identifier) @owner.output . (string_lit (template_literal) @name) . (block_start) @body) @constant))
  (#eq? @owner.output "output"))
((config_file (body (block . (identifier) @owner.local (body (attribute . (identifier) @name) @constant))))
  (#eq? @owner.local "locals"))
(comment) @comment

; References: `var.x`, `aws_eip.nat` and `data.aws_ami.ubuntu`; a name of a loop has no low line
((variable_expr (identifier) @via) . (get_attr (identifier) @call) (#match? @via "^(var|local|module)$|_"))
((variable_expr (identifier) @via @_d) . (get_attr (identifier) @via) . (get_attr (identifier) @call) (#eq? @_d "data"))

; Imports
((config_file (body (block . (identifier) @_k (body (attribute . (identifier) @_s
  (expression (literal_value (string_lit (template_literal) @module)))) @import)))) (#eq? @_k "module") (#eq? @_s "source"))

; Shapes
