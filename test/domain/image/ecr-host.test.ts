import { describe, expect, test } from "vitest";
import { parseEcrHost } from "../../../functions/domain/image/ecr-host.ts";

test.for([
  { host: "123456789012.dkr.ecr.eu-west-1.amazonaws.com", region: "eu-west-1" },
  { host: "123456789012.dkr.ecr.cn-north-1.amazonaws.com.cn", region: "cn-north-1" },
  { host: "123456789012.dkr.ecr-fips.us-gov-west-1.amazonaws.com", region: "us-gov-west-1" },
  { host: "123456789012.dkr-ecr.us-east-2.on.aws", region: "us-east-2" },
  { host: "123456789012.dkr-ecr-fips.us-east-2.on.aws", region: "us-east-2" },
  { host: "123456789012.dkr.ecr.us-isof-south-1.csp.hci.ic.gov", region: "us-isof-south-1" },
  { host: "123456789012.dkr.ecr.eu-isoe-west-1.cloud.adc-e.uk", region: "eu-isoe-west-1" },
  { host: "123456789012.dkr.ecr.eusc-de-east-1.amazonaws.eu", region: "eusc-de-east-1" },
])("$host is ECR in $region", ({ host, region }) => {
  expect(parseEcrHost(host)).toEqual({ account: "123456789012", region });
});

describe("any other host is null, so that none receives ECR credentials", () => {
  test.for([
    "public.ecr.aws",
    "registry-1.docker.io",
    "123456789012.dkr.ecr.eu-west-1.amazonaws.com.evil.example",
    "123456789012.dkr.ecr.eu-west-1.amazonaws.com:443",
    "evil.example/123456789012.dkr.ecr.eu-west-1.amazonaws.com",
    "evil.123456789012.dkr.ecr.eu-west-1.amazonaws.com",
    "12345678901.dkr.ecr.eu-west-1.amazonaws.com",
    "123456789012.dkr.ecr.eu.west.1.amazonaws.com",
    "123456789012xdkr.ecr.eu-west-1.amazonaws.com",
    "123456789012.dkr.ecr.eu-west-1.amazonawsxcom",
    "",
  ])("%s", (host) => {
    expect(parseEcrHost(host)).toBeNull();
  });
});
