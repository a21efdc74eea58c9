output "required_access" {
  description = "What the clusters still need for Pawl, by the name of their stack: null if nothing."
  value       = { for name, stack in aws_cloudformation_stack.cluster : name => try(stack.outputs[one([for id in keys(stack.outputs) : id if strcontains(id, "RequiredAccessEntries")])], null) }
}
