import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { ampEndpoint } from "../../../functions/adapters/prometheus/amp.ts";
import { json, startScriptedServer } from "../oci-registry/scripted-server.ts";
import { openAmpAt, openAt, secret } from "./open.ts";

const query = `sum(rate(http_requests_total{code=~"5..",name='é!*()'}[1m])) / 2 + 1`;

/**
 * Computes the signature of a received request without a body (Signature Version 4, "Create a signed AWS API request") by
 * node:crypto, independently of the library that signed it.
 */
function computeSignature(target: string, headers: IncomingHttpHeaders, signedHeaders: string): string {
  const [path = "", search = ""] = target.split("?");
  const canonical = [
    "GET",
    path,
    search.split("&").sort().join("&"),
    ...signedHeaders.split(";").map((name) => `${name}:${String(headers[name]).trim()}`),
    "",
    signedHeaders,
    sha256(""),
  ].join("\n");
  const scope = "20261120/eu-west-1/aps/aws4_request";
  const toSign = ["AWS4-HMAC-SHA256", "20261120T120000Z", scope, sha256(canonical)].join("\n");
  const start: Buffer | string = `AWS4${secret}`;
  const key = scope.split("/").reduce<Buffer | string>((before, part) => hmac(before, part), start);
  return hmac(key, toSign).toString("hex");
}

test("a request to AMP carries the signature that AWS computes", async () => {
  const received = Promise.withResolvers<{ url: string; headers: IncomingHttpHeaders }>();
  const server = createServer((request, response) => {
    received.resolve({ url: request.url ?? "", headers: request.headers });
    json(response, { status: "success", data: { resultType: "scalar", result: [1, "1"] } });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  await openAmpAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).query(query);
  server.closeAllConnections();
  server.close();

  const { url, headers } = await received.promise;
  const [, scope, signedHeaders = "", signature] =
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/(.*), SignedHeaders=(.*), Signature=(.*)$/.exec(
      headers.authorization ?? "",
    ) ?? [];
  expect(scope).toBe("20261120/eu-west-1/aps/aws4_request");
  expect(signedHeaders.split(";")).toEqual(expect.arrayContaining(["host", "x-amz-date", "x-amz-security-token"]));
  expect(signature).toBe(computeSignature(url, headers, signedHeaders));
});

test("only the query path of the workspace is requested", async () => {
  await using server = await startScriptedServer((_, response) =>
    json(response, { status: "success", data: { resultType: "vector", result: [] } }),
  );
  await openAmpAt(`http://${server.host}`).query("up");
  expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "GET /workspaces/ws-0a1b/api/v1/query?query=up",
  ]);
});

test.for([
  { region: "eu-west-1", host: "aps-workspaces.eu-west-1.amazonaws.com" },
  { region: "cn-north-1", host: "aps-workspaces.cn-north-1.amazonaws.com.cn" },
  { region: "eusc-de-east-1", host: "aps-workspaces.eusc-de-east-1.amazonaws.eu" },
])("a workspace of $region is at $host", ({ region, host }) => {
  expect(ampEndpoint(region)).toBe(`https://${host}`);
});

test("a workspace is opened without a request", async () => {
  expect(await openAt("amp://eu-west-1/ws-1")).toHaveProperty("query");
});

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
