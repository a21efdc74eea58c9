# Run with -var folder=FOLDER, where `pawl template` has written FOLDER.
mock_provider "aws" {
  mock_data "aws_s3_bucket" {
    defaults = { bucket_regional_domain_name = "assets.s3.eu-central-1.amazonaws.com" }
  }
}

variables {
  bucket = "assets"
}

run "cluster" {
  command = plan

  variables {
    clusters = {
      pawl-production = {
        parameters = { Name = "production", EksClusterName = "prod", Endpoint = "https://example.com", CertificateAuthority = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tAAAA" }
      }
    }
  }

  assert {
    condition     = aws_cloudformation_stack.cluster["pawl-production"].parameters.AssetPrefix == "pawl/"
    error_message = "The stack must be told where its assets are."
  }

  assert {
    condition     = startswith(aws_cloudformation_stack.cluster["pawl-production"].template_url, "https://assets.s3.eu-central-1.amazonaws.com/pawl/")
    error_message = "The template must be in the bucket."
  }

  assert {
    condition     = length(keys(aws_s3_object.asset)) == 3 && length(keys(aws_s3_object.template)) == 2
    error_message = "The code, two definitions and two templates must be uploaded."
  }

  assert {
    condition     = try(length(aws_cloudformation_stack.shared[0].parameters), 0) == 0
    error_message = "The shared template has no parameters."
  }
}

run "missing_parameter" {
  command = plan

  variables {
    shared   = null
    clusters = { pawl-production = { parameters = { Name = "production" } } }
  }

  expect_failures = [aws_cloudformation_stack.cluster["pawl-production"]]
}

run "prefix_without_slash" {
  command = plan

  variables {
    prefix = "pawl"
  }

  expect_failures = [var.prefix]
}
