import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { parseKubeConfig } from "../../../../functions/adapters/aws/secrets-manager/kube-config.ts";

const source = "arn:kubeconfig";
const secretToken = "hunter2-token";

interface Parts {
  readonly cluster?: object;
  readonly user?: object;
  readonly rest?: object;
}

/** Formats a kubeconfig with the contexts `one` and `other`; `cluster` and `user` are fields of the second. */
function formatKubeConfig({ cluster = {}, user = {}, rest = {} }: Parts = {}): string {
  const server = "https://one.example";
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      { name: "one", cluster: { server, "certificate-authority-data": "UEVN" } },
      { name: "other", cluster: { server: "https://other.example", ...cluster } },
    ],
    users: [
      { name: "one", user: { token: secretToken } },
      { name: "other", user: { "client-certificate-data": "QQ==", "client-key-data": "QQ==", ...user } },
    ],
    contexts: ["one", "other"].map((name) => ({ name, context: { cluster: name, user: name } })),
    "current-context": "one",
    ...rest,
  });
}

test.for([
  { context: null, server: "https://one.example" },
  { context: "other", server: "https://other.example" },
])("context $context selects $server", ({ context, server }) => {
  expect(parseKubeConfig(formatKubeConfig(), context, source).getCurrentCluster()?.server).toBe(server);
});

test("a kubeconfig may be JSON as well", () => {
  const json = JSON.stringify({
    clusters: [{ name: "c", cluster: { server: "https://c" } }],
    users: [{ name: "u", user: { token: secretToken } }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    "current-context": "x",
  });
  expect(parseKubeConfig(json, null, source).getCurrentUser()?.token).toBe(secretToken);
});

describe("references to programs and files are rejected, also in an unused context", () => {
  test.for<{ field: string; parts: Parts; instead: string }>([
    {
      field: "clusters[1].cluster.certificate-authority",
      parts: { cluster: { "certificate-authority": "/ca.pem" } },
      instead: "certificate-authority-data",
    },
    { field: "users[1].user.exec", parts: { user: { exec: { command: "aws" } } }, instead: "token" },
    { field: "users[1].user.auth-provider", parts: { user: { "auth-provider": { name: "gcp" } } }, instead: "token" },
    {
      field: "users[1].user.client-certificate",
      parts: { user: { "client-certificate": "/c" } },
      instead: "client-certificate-data",
    },
    { field: "users[1].user.client-key", parts: { user: { "client-key": "/k" } }, instead: "client-key-data" },
    { field: "users[1].user.tokenFile", parts: { user: { tokenFile: "/etc/passwd" } }, instead: "token" },
    { field: "users[1].user.token-file", parts: { user: { "token-file": "/etc/passwd" } }, instead: "token" },
  ])("$field", ({ field, parts, instead }) => {
    expect(() => parseKubeConfig(formatKubeConfig(parts), "one", source)).toThrow(
      expect.objectContaining({
        name: "KubeconfigInvalid",
        message: expect.stringContaining(`${source}: ${field} is not allowed; use ${instead}`),
      }),
    );
  });

  test("all of them together", () => {
    const parts = { cluster: { "certificate-authority": "/ca" }, user: { exec: {}, tokenFile: "/t" } };
    expect(() => parseKubeConfig(formatKubeConfig(parts), null, source)).toThrow(
      /cluster\.certificate-authority .*user\.exec .*user\.tokenFile /,
    );
  });
});

describe("an invalid kubeconfig is reported", () => {
  test.for([
    { when: "it is not YAML", text: `a: [${secretToken}`, message: "is not YAML (line 1)" },
    { when: "it has an alias", text: `a: &a ${secretToken}\nb: *a`, message: "is not YAML" },
    { when: "it is a string", text: secretToken, message: "is not a kubeconfig" },
    { when: "it has no clusters", text: "users: []", message: "clusters is not a list" },
    { when: "a cluster has no server", text: formatKubeConfig({ cluster: { server: null } }), message: "clusters[1]" },
    {
      when: "a user is a string",
      text: formatKubeConfig({ rest: { users: [secretToken] } }),
      message: "users[0].user",
    },
    {
      when: "there is no current context",
      text: formatKubeConfig({ rest: { "current-context": "" } }),
      message: "set PAWL_CONTEXT to one of its contexts; available: one, other",
    },
    {
      when: "the context does not exist",
      text: formatKubeConfig({ rest: { "current-context": "third" } }),
      message: 'no context "third"; available: one, other',
    },
    {
      when: "its user does not exist",
      text: formatKubeConfig({ rest: { users: [] } }),
      message: "a user that does not exist",
    },
  ])("if $when, without its secrets", ({ text, message }) => {
    expect(() => parseKubeConfig(text, null, source)).toThrow(
      expect.objectContaining({ name: "KubeconfigInvalid", message: expect.stringContaining(message) }),
    );
    expect(() => parseKubeConfig(text, null, source)).not.toThrow(secretToken);
  });
});
