import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { parseKubeConfig } from "../../../functions/adapters/secrets/kube-config.ts";

const source = "arn:kubeconfig";
const secretToken = "hunter2-token";

interface Parts {
  readonly cluster?: object;
  readonly user?: object;
  readonly rest?: object;
}

/** Two contexts, `one` and `other`; `cluster` and `user` are what is particular about the second. */
function written({ cluster = {}, user = {}, rest = {} }: Parts = {}): string {
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
])("context $context leads to $server", ({ context, server }) => {
  expect(parseKubeConfig(written(), context, source).getCurrentCluster()?.server).toBe(server);
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

describe("what points outside of it is refused, also in a context that is not used", () => {
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
    expect(() => parseKubeConfig(written(parts), "one", source)).toThrow(
      expect.objectContaining({
        name: "KubeconfigInvalid",
        message: expect.stringContaining(`${source}: ${field} is refused: write ${instead}`),
      }),
    );
  });

  test("all at once", () => {
    const parts = { cluster: { "certificate-authority": "/ca" }, user: { exec: {}, tokenFile: "/t" } };
    expect(() => parseKubeConfig(written(parts), null, source)).toThrow(
      /cluster\.certificate-authority .*user\.exec .*user\.tokenFile /,
    );
  });
});

describe("what cannot be used is said", () => {
  test.for([
    { when: "it is no YAML", text: `a: [${secretToken}`, says: "is not YAML (line 1)" },
    { when: "it points within itself", text: `a: &a ${secretToken}\nb: *a`, says: "is not YAML" },
    { when: "it is a word", text: secretToken, says: "is not a kubeconfig" },
    { when: "it is empty of clusters", text: "users: []", says: "clusters is not a list" },
    { when: "a cluster has no server", text: written({ cluster: { server: null } }), says: "clusters[1]" },
    { when: "a user is a word", text: written({ rest: { users: [secretToken] } }), says: "users[0].user" },
    {
      when: "there is no current context",
      text: written({ rest: { "current-context": "" } }),
      says: "one in PAWL_CONTEXT, there are: one, other",
    },
    {
      when: "the context is not there",
      text: written({ rest: { "current-context": "third" } }),
      says: 'no context "third"; there are: one, other',
    },
    { when: "its user is not there", text: written({ rest: { users: [] } }), says: "a user that is not there" },
  ])("where $when, and no secret is told", ({ text, says }) => {
    expect(() => parseKubeConfig(text, null, source)).toThrow(
      expect.objectContaining({ name: "KubeconfigInvalid", message: expect.stringContaining(says) }),
    );
    expect(() => parseKubeConfig(text, null, source)).not.toThrow(secretToken);
  });
});
