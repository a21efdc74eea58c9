terraform {
  required_version = ">= 1.5"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

data "aws_s3_bucket" "assets" {
  bucket = var.bucket
}

locals {
  templates = toset(concat(var.shared == null ? [] : [var.shared.template], [for stack in var.clusters : stack.template]))
  assets    = [for name in fileset(var.folder, "*.{zip,json}") : name if !endswith(name, ".template.json")]

  declared = { for name in local.templates : name => try(jsondecode(file("${var.folder}/${name}")).Parameters, {}) }
  required = { for name, parameters in local.declared : name => [for id, one in parameters : id if !can(one.Default) && id != "AssetBucket"] }
  located  = { AssetBucket = var.bucket, AssetPrefix = var.prefix }
}

resource "aws_s3_object" "asset" {
  for_each = toset(local.assets)

  bucket = var.bucket
  key    = "${var.prefix}${each.value}"
  source = "${var.folder}/${each.value}"
}

# The key has the hash of the content: a stack is updated only if the address of its template changes.
resource "aws_s3_object" "template" {
  for_each = local.templates

  bucket = var.bucket
  key    = "${var.prefix}${filesha256("${var.folder}/${each.value}")}.template.json"
  source = "${var.folder}/${each.value}"
}

resource "aws_cloudformation_stack" "shared" {
  count = var.shared == null ? 0 : 1

  name         = var.shared.name
  template_url = "https://${data.aws_s3_bucket.assets.bucket_regional_domain_name}/${aws_s3_object.template[var.shared.template].key}"
  parameters   = { for id, value in local.located : id => value if can(local.declared[var.shared.template][id]) }
  capabilities = ["CAPABILITY_NAMED_IAM"]
  tags         = var.tags

  depends_on = [aws_s3_object.asset]
}

resource "aws_cloudformation_stack" "cluster" {
  for_each = var.clusters

  name         = each.key
  template_url = "https://${data.aws_s3_bucket.assets.bucket_regional_domain_name}/${aws_s3_object.template[each.value.template].key}"
  parameters   = merge(local.located, each.value.parameters)
  capabilities = ["CAPABILITY_NAMED_IAM"]
  tags         = var.tags

  # New code is deployed gradually, which takes 15 minutes for each state machine.
  timeouts {
    create = "60m"
    update = "60m"
    delete = "60m"
  }

  lifecycle {
    precondition {
      condition     = length(setsubtract(local.required[each.value.template], keys(each.value.parameters))) == 0
      error_message = "clusters[\"${each.key}\"].parameters: missing: ${join(", ", setsubtract(local.required[each.value.template], keys(each.value.parameters)))}; add what ${each.value.template} requires"
    }
  }

  depends_on = [aws_s3_object.asset, aws_cloudformation_stack.shared]
}
