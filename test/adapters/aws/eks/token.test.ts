import { expect, test } from "vitest";
import { createEksToken } from "../../../../functions/adapters/aws/eks/token.ts";
import { presignedQuery } from "../../../support/aws/signature.ts";
import { after, noon } from "../../../support/workloads.ts";

const keys = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };

function decode(token: string): URL {
  const text = token.slice("k8s-aws-v1.".length);
  expect(token).toBe(`k8s-aws-v1.${text}`);
  expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
  return new URL(Buffer.from(text, "base64url").toString("utf8"));
}

test.for([
  { region: "eu-west-1", host: "sts.eu-west-1.amazonaws.com", clusterName: "production", sessionToken: null },
  { region: "us-gov-west-1", host: "sts.us-gov-west-1.amazonaws.com", clusterName: "a_b-1", sessionToken: null },
  { region: "cn-north-1", host: "sts.cn-north-1.amazonaws.com.cn", clusterName: "c", sessionToken: "FwoG/x+y==" },
  { region: "us-iso-east-1", host: "sts.us-iso-east-1.c2s.ic.gov", clusterName: "c", sessionToken: null },
  { region: "us-isob-east-1", host: "sts.us-isob-east-1.sc2s.sgov.gov", clusterName: "c", sessionToken: null },
  { region: "us-isof-south-1", host: "sts.us-isof-south-1.csp.hci.ic.gov", clusterName: "c", sessionToken: null },
  { region: "eu-isoe-west-1", host: "sts.eu-isoe-west-1.cloud.adc-e.uk", clusterName: "c", sessionToken: null },
  { region: "eusc-de-east-1", host: "sts.eusc-de-east-1.amazonaws.eu", clusterName: "c", sessionToken: "it's (a) *!" },
])("a token for $clusterName in $region is signed as AWS documents", (expected) => {
  const { region, host, clusterName, sessionToken } = expected;
  const credentials = { ...keys, ...(sessionToken === null ? {} : { sessionToken }) };
  const { value } = createEksToken({ clusterName, region, credentials, now: noon });
  const url = decode(value);
  expect(url.origin + url.pathname).toBe(`https://${host}/`);
  expect(Object.fromEntries(url.searchParams)).toEqual(
    presignedQuery({ ...keys, host, clusterName, region, sessionToken, at: "20261120T120000Z" }),
  );
  expect(value.length).toBeLessThan(4096);
});

test("the token of one cluster is not valid for another", () => {
  const createTokenUrl = (clusterName: string) =>
    decode(createEksToken({ clusterName, region: "eu-west-1", credentials: keys, now: noon }).value);
  const [one, other] = [createTokenUrl("one"), createTokenUrl("other")];
  expect(one.searchParams.get("X-Amz-Signature")).not.toBe(other.searchParams.get("X-Amz-Signature"));
});

test.for([
  { when: "the credentials do not expire", expiration: undefined, expected: after(14) },
  { when: "the credentials expire later", expiration: after(60), expected: after(14) },
  { when: "the credentials expire earlier", expiration: after(10), expected: after(9) },
])("a token expires at $expected if $when", ({ expiration, expected }) => {
  const credentials = { ...keys, ...(expiration === undefined ? {} : { expiration }) };
  const { expiresAt } = createEksToken({ clusterName: "c", region: "eu-west-1", credentials, now: noon });
  expect(expiresAt).toEqual(expected);
});
