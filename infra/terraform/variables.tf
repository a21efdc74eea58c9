variable "folder" {
  description = "The folder that `pawl template` has written."
  type        = string
}

variable "bucket" {
  description = "An S3 bucket in the region of the stacks, for the assets and the templates."
  type        = string
}

variable "prefix" {
  description = "What the keys in the bucket start with: empty, or a folder with its slash."
  type        = string
  default     = "pawl/"

  validation {
    condition     = var.prefix == "" || endswith(var.prefix, "/")
    error_message = "prefix: must end with a slash, or be empty."
  }
}

variable "shared" {
  description = "The stack of what all clusters share. null: it is deployed elsewhere in this account and region."
  type = object({
    name     = optional(string, "pawl")
    template = optional(string, "pawl.template.json")
  })
  default = {}
}

variable "clusters" {
  description = "The stacks of clusters, by name: the file name of its template, and the values of its parameters, such as Name and EksClusterName."
  type = map(object({
    template   = optional(string, "pawl-cluster.template.json")
    parameters = optional(map(string), {})
  }))
  default = {}
}

variable "tags" {
  description = "Tags of the stacks, which CloudFormation copies to their resources."
  type        = map(string)
  default     = {}
}
