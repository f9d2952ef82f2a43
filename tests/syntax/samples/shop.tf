# The shop's network: where its machines stand, and who reaches them.

locals {
  name = "shop-${var.stage}"

  # All that costs money has these.
  tags = merge(var.tags, { Name = local.name })
  open = [for port in var.ports : port if port.public]
}

variable "stage" {
  description = "Where it runs. One of dev and prod."
  type        = string
  default     = "dev"

  validation {
    condition     = contains(["dev", "prod"], var.stage)
    error_message = "The stage is dev or prod."
  }
}

data "aws_ami" "till" {
  most_recent = true
}

/* Keeps strangers out. */
resource "aws_security_group" "till" {
  description = "Tills"
  vpc_id      = module.network.vpc_id

  dynamic "ingress" {
    for_each = local.open
    content {
      from_port = ingress.value.number
    }
  }
}

resource "aws_instance" "till" {
  count                  = var.tills > 0 && local.name != "" ? var.tills : 0
  ami                    = data.aws_ami.till.id
  vpc_security_group_ids = [aws_security_group.till.id, aws_security_group.this["door"].id]
  tags                   = local.tags
  depends_on             = [module.network]
}

// Made of our own parts.
module "network" {
  source   = "../network"
  for_each = toset(each.value.names)
}

module "bucket" {
  source  = "terraform-aws-modules/s3-bucket/aws"
  version = "~> 4.0"
}

output "addresses" {
  description = "Where the tills answer."
  value       = { for till in aws_instance.till : till.id => till.private_ip }
}
