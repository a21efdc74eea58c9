import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readTeamPageConfig } from "../../../cli/team-page/config.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-team-config-"));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, "ca.crt"), "authority");
writeFileSync(join(folder, "secret"), "secret\n");

const login = { name: "company", issuer: "https://issuer.example.com", clientId: "pawl" };
const cluster = {
  name: "staging",
  server: "https://10.0.0.1:6443",
  certificateAuthorityFile: "ca.crt",
  login: "company",
};
const config = { url: "https://pawl.example.com", logins: [login], clusters: [cluster] };

function read(written: object | string) {
  const file = join(folder, "team-page.yaml");
  writeFileSync(file, typeof written === "string" ? written : JSON.stringify(written));
  return readTeamPageConfig(file);
}

test("what is absent has a default: it only reads", () => {
  expect(read(config)).toEqual({
    url: config.url,
    address: "0.0.0.0",
    port: 8080,
    tls: null,
    logins: [{ ...login, clientSecret: null, scope: "openid email", parameters: {} }],
    clusters: [
      {
        name: "staging",
        server: cluster.server,
        login: "company",
        certificateAuthority: "authority",
        allowActions: false,
        nodePools: false,
      },
    ],
  });
  expect(read({ ...config, logins: [{ ...login, clientSecretFile: "secret" }] }).logins[0]?.clientSecret).toBe(
    "secret",
  );
});

test.for([
  {
    when: "tokens would be sent without TLS",
    part: { clusters: [{ ...cluster, server: "http://10.0.0.1" }] },
    names: "server",
  },
  { when: "the page has no TLS", part: { url: "http://pawl.example.com" }, names: "url" },
  { when: "the page has a path", part: { url: "https://example.com/pawl" }, names: "url" },
  { when: "browsers write the host in lower case", part: { url: "https://Pawl.example.com" }, names: "in lower case" },
  { when: "browsers omit the port", part: { url: "https://pawl.example.com:443" }, names: "without the port 443" },
  { when: "there is no such port", part: { url: "https://pawl.example.com:99999" }, names: "url" },
  { when: "the page has a query", part: { url: "https://pawl.example.com?a" }, names: "url" },
  { when: "the issuer has no TLS", part: { logins: [{ ...login, issuer: "http://issuer" }] }, names: "issuer" },
  {
    when: "a login is unknown",
    part: { clusters: [{ ...cluster, login: "other" }] },
    names: '"other" is none of the logins',
  },
  { when: "a name is used twice", part: { clusters: [cluster, cluster] }, names: "duplicate" },
  { when: "a name has a colon", part: { clusters: [{ ...cluster, name: "a:b" }] }, names: "name" },
  { when: "a field is misspelt", part: { clusters: [{ ...cluster, allowAction: true }] }, names: "allowAction" },
  {
    when: "a parameter replaces one of the login",
    part: { logins: [{ ...login, parameters: { redirect_uri: "x" } }] },
    names: "redirect_uri",
  },
  {
    when: "a file is missing",
    part: { clusters: [{ ...cluster, certificateAuthorityFile: "none" }] },
    names: "is not readable",
  },
  { when: "there is no cluster", part: { clusters: [] }, names: "clusters" },
])("$when: it says where", ({ part, names }) => {
  expect(() => read({ ...config, ...part })).toThrow(names);
});

test("what is no YAML is refused", () => {
  expect(() => read("a: [")).toThrow(/team-page.yaml: /);
});
