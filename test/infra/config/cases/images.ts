import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { certificates } from "../../certificates.ts";
import { withSettings, secretArn, type Case } from "./inputs.ts";

const directory = mkdtempSync(join(tmpdir(), "pawl-certificates-"));

function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

const authority = (certificateAuthority: string) => withSettings({ registries: { certificateAuthority } });
const proxied = (proxy: object) => withSettings({ proxy });
const url = "http://proxy.internal:3128";
const noHost =
  "is not a host such as registry.internal, .internal or 10.0.0.5, in lower case, with or without :port; no range of addresses";
const noProxy = "is not http://host:port, in lower case, without a login or a path";
const empty = file("empty.pem", "");
const withKey = file("key.pem", `${certificates}-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n`);
const broken = file("broken.pem", `${certificates}${certificates.replace("MII", "AAA")}`);
const truncated = file("truncated.pem", certificates.slice(0, -30));

export const imageCases: readonly Case[] = [
  {
    when: "a secret with logins, two accounts",
    input: withSettings({ registries: { secretArn, ecrAccounts: ["123456789012", "210987654321"] } }),
    problems: [],
  },
  {
    when: "logins for a namespace and for a repository",
    input: withSettings({
      registries: {
        logins: [
          { secretArn, namespaces: ["shop"] },
          { secretArn, repositories: ["ghcr.io/team"] },
        ],
      },
    }),
    problems: [],
  },
  {
    when: "a login for no namespace",
    input: withSettings({ registries: { logins: [{ secretArn, namespaces: [] }] } }),
    problems: ["registries.logins[0].namespaces: has 0 entries, at least 1 needed"],
  },
  {
    when: "an account as a number",
    input: withSettings({ registries: { ecrAccounts: [123456789012] } }),
    problems: ["registries.ecrAccounts[0]: 123456789012 is not an account's 12 digits, in quotes"],
  },
  {
    when: "prefixes of ECR repositories",
    input: withSettings({ registries: { ecrRepositoryPrefixes: ["shop/", "platform/base-"] } }),
    problems: [],
  },
  {
    when: "a pattern of ECR repositories",
    input: withSettings({ registries: { ecrRepositoryPrefixes: ["shop/*"] } }),
    problems: ['registries.ecrRepositoryPrefixes[0]: "shop/*" is not the start of a repository name, such as "shop/"'],
  },
  {
    when: "allowed and denied repositories",
    input: withSettings({
      registries: { allowed: ["*", "harbor.corp:8443/team", "*.azurecr.io"], denied: ["docker.io/library"] },
    }),
    problems: [],
  },
  {
    when: "no allowed repository",
    input: withSettings({ registries: { allowed: [] } }),
    problems: ["registries.allowed: has 0 entries, at least 1 needed"],
  },
  {
    when: "an allowed repository with a scheme",
    input: withSettings({ registries: { allowed: ["https://ghcr.io"] } }),
    problems: [
      'registries.allowed[0]: "https://ghcr.io" is not host[:port][/path], such as ghcr.io/team or *.azurecr.io',
    ],
  },
  {
    when: "any repository denied",
    input: withSettings({ registries: { denied: ["*.*"] } }),
    problems: ['registries.denied[0]: "*.*" is not host[:port][/path], such as ghcr.io/team or *.azurecr.io'],
  },
  {
    when: "an insecure host with its scheme",
    input: withSettings({ registries: { insecureHosts: ["http://localhost:5000"] } }),
    problems: ['registries.insecureHosts[0]: "http://localhost:5000" is not host or host:port, without a scheme'],
  },
  { when: "pull secrets", input: withSettings({ registries: { usePullSecrets: true } }), problems: [] },
  {
    when: "pull secrets as a string",
    input: withSettings({ registries: { usePullSecrets: "true" } }),
    problems: ['registries.usePullSecrets: "true" is not true or false'],
  },
  { when: "certificates", input: authority(file("good.pem", `# two\n${certificates}\n${certificates}`)), problems: [] },
  {
    when: "a file that does not exist",
    input: authority("no-such.pem"),
    problems: ['registries.certificateAuthority: "no-such.pem" does not exist or is not readable'],
    beyondSchema: true,
  },
  {
    when: "a file without certificates",
    input: authority(empty),
    problems: [
      `registries.certificateAuthority: "${empty}" contains no certificate; use PEM, with -----BEGIN CERTIFICATE-----`,
    ],
    beyondSchema: true,
  },
  {
    when: "certificates with their key",
    input: authority(withKey),
    problems: [
      `registries.certificateAuthority: "${withKey}" contains a private key, which must not be deployed; remove it`,
    ],
    beyondSchema: true,
  },
  {
    when: "an invalid certificate",
    input: authority(broken),
    problems: [`registries.certificateAuthority: "${broken}": certificate 2 is invalid`],
    beyondSchema: true,
  },
  {
    when: "a truncated certificate",
    input: authority(truncated),
    problems: [`registries.certificateAuthority: "${truncated}": certificate 1 is invalid`],
    beyondSchema: true,
  },
  {
    when: "digests",
    input: withSettings({ digests: { onFirstSeen: "adopt", imagePullPolicy: "Always" } }),
    problems: [],
  },
  {
    when: "another policy for the first digest, another pull policy",
    input: withSettings({ digests: { onFirstSeen: "adapt", imagePullPolicy: "Never" } }),
    problems: [
      'digests.onFirstSeen: "adapt" is not one of restart, adopt; did you mean adopt?',
      'digests.imagePullPolicy: "Never" is not one of unchanged, Always',
    ],
  },
  {
    when: "a proxy",
    input: proxied({ url, noProxy: [".svc", "registry.internal:5000", "*.corp", "10.0.0.5"] }),
    problems: [],
  },
  { when: "a proxy without exceptions", input: proxied({ url: "http://10.0.0.1/" }), problems: [] },
  {
    when: "exceptions without a proxy",
    input: proxied({ noProxy: [".svc"] }),
    problems: ["proxy.url: is missing; use http://host:port, in lower case, without a login or a path"],
  },
  {
    when: "a proxy with a login",
    input: proxied({ url: "http://me:secret@proxy.internal:3128" }),
    problems: ["proxy.url: contains a login, which the environment of a function would show; use http://host:port"],
  },
  {
    when: "a proxy over TLS",
    input: proxied({ url: "https://proxy.internal" }),
    problems: [`proxy.url: "https://proxy.internal" ${noProxy}`],
  },
  ...["10.0.0.0/8", "10.0.0.1-10.0.0.9", "*", "http://registry.internal", "a,b", "Registry.Internal"].map((host) => ({
    when: `${host} excepted`,
    input: proxied({ url, noProxy: [host] }),
    problems: [`proxy.noProxy[0]: "${host}" ${noHost}`],
  })),
  {
    when: "a host excepted twice",
    input: proxied({ url, noProxy: [".svc", ".svc"] }),
    problems: ['proxy.noProxy[1]: ".svc" is a duplicate of [0]'],
  },
];
