import { expect, test } from "vitest";
import { eksToken } from "../../../functions/adapters/eks/token.ts";
import { presignedQuery } from "../../support/signature.ts";
import { after, noon } from "../../support/workloads.ts";

const keys = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };

function opened(token: string): URL {
  const text = token.slice("k8s-aws-v1.".length);
  expect(token).toBe(`k8s-aws-v1.${text}`);
  expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
  return new URL(Buffer.from(text, "base64url").toString("utf8"));
}

test.for([
  { region: "eu-west-1", host: "sts.eu-west-1.amazonaws.com", clusterName: "production", sessionToken: null },
  { region: "us-gov-west-1", host: "sts.us-gov-west-1.amazonaws.com", clusterName: "a_b-1", sessionToken: null },
  { region: "cn-north-1", host: "sts.cn-north-1.amazonaws.com.cn", clusterName: "c", sessionToken: "FwoG/x+y==" },
  { region: "eusc-de-east-1", host: "sts.eusc-de-east-1.amazonaws.eu", clusterName: "c", sessionToken: "it's (a) *!" },
])("a token for $clusterName in $region is signed as AWS describes it", async (expected) => {
  const { region, host, clusterName, sessionToken } = expected;
  const credentials = { ...keys, ...(sessionToken === null ? {} : { sessionToken }) };
  const { value } = await eksToken({ clusterName, region, credentials, now: noon });
  const url = opened(value);
  expect(url.origin + url.pathname).toBe(`https://${host}/`);
  expect(Object.fromEntries(url.searchParams)).toEqual(
    presignedQuery({ ...keys, host, clusterName, region, sessionToken, at: "20261120T120000Z" }),
  );
  expect(value.length).toBeLessThan(4096);
});

test("tokens of two clusters differ: one is no key to the other", async () => {
  const tokenOf = async (clusterName: string) =>
    opened((await eksToken({ clusterName, region: "eu-west-1", credentials: keys, now: noon })).value);
  const [one, other] = [await tokenOf("one"), await tokenOf("other")];
  expect(one.searchParams.get("X-Amz-Signature")).not.toBe(other.searchParams.get("X-Amz-Signature"));
});

test.for([
  { when: "the credentials do not end", expiration: undefined, usable: after(14) },
  { when: "the credentials outlive it", expiration: after(60), usable: after(14) },
  { when: "the credentials end before it", expiration: after(10), usable: after(9) },
])("a token serves until $usable where $when", async ({ expiration, usable }) => {
  const credentials = { ...keys, ...(expiration === undefined ? {} : { expiration }) };
  const { usableUntil } = await eksToken({ clusterName: "c", region: "eu-west-1", credentials, now: noon });
  expect(usableUntil).toEqual(usable);
});
