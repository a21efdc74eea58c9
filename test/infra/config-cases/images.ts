import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { certificates } from "../certificates.ts";
import { beside, secretArn, type Case } from "./writing.ts";

const directory = mkdtempSync(join(tmpdir(), "pawl-certificates-"));

function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

const authority = (certificateAuthority: string) => beside({ registries: { certificateAuthority } });
const proxied = (proxy: object) => beside({ proxy });
const url = "http://proxy.internal:3128";
const noHost =
  "is not a host such as registry.internal, .internal or 10.0.0.5, in small letters, with :port or without; no range of addresses";
const noProxy = "is not http://host:port, in small letters, without a login or a path";
const empty = file("empty.pem", "");
const withKey = file("key.pem", `${certificates}-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n`);
const broken = file("broken.pem", `${certificates}${certificates.replace("MII", "AAA")}`);
const torn = file("torn.pem", certificates.slice(0, -30));

export const imageCases: readonly Case[] = [
  {
    when: "a secret with logins, two accounts",
    write: beside({ registries: { secretArn, ecrAccounts: ["123456789012", "210987654321"] } }),
    problems: [],
  },
  {
    when: "an account as a number",
    write: beside({ registries: { ecrAccounts: [123456789012] } }),
    problems: ["registries.ecrAccounts[0]: is a number, write an account's 12 digits, in quotes"],
  },
  {
    when: "an insecure host with its scheme",
    write: beside({ registries: { insecureHosts: ["http://localhost:5000"] } }),
    problems: ['registries.insecureHosts[0]: "http://localhost:5000" is not host or host:port, without a scheme'],
  },
  { when: "pull secrets", write: beside({ registries: { pullSecrets: true } }), problems: [] },
  {
    when: "pull secrets in words",
    write: beside({ registries: { pullSecrets: "true" } }),
    problems: ["registries.pullSecrets: is a string, write true or false"],
  },
  { when: "certificates", write: authority(file("good.pem", `# two\n${certificates}\n${certificates}`)), problems: [] },
  {
    when: "certificates that are not there",
    write: authority("no-such.pem"),
    problems: ['registries.certificateAuthority: "no-such.pem" cannot be read'],
    beyondSchema: true,
  },
  {
    when: "a file without certificates",
    write: authority(empty),
    problems: [
      `registries.certificateAuthority: "${empty}" holds no certificate: write PEM, with -----BEGIN CERTIFICATE-----`,
    ],
    beyondSchema: true,
  },
  {
    when: "certificates with their key",
    write: authority(withKey),
    problems: [
      `registries.certificateAuthority: "${withKey}" holds a private key, which has no business in a deployment`,
    ],
    beyondSchema: true,
  },
  {
    when: "a certificate that is none",
    write: authority(broken),
    problems: [`registries.certificateAuthority: "${broken}": certificate 2 cannot be read`],
    beyondSchema: true,
  },
  {
    when: "a certificate that was cut off",
    write: authority(torn),
    problems: [`registries.certificateAuthority: "${torn}": certificate 1 cannot be read`],
    beyondSchema: true,
  },
  { when: "digests", write: beside({ digests: { baseline: "running", pullPolicy: "always" } }), problems: [] },
  {
    when: "another baseline, another pull policy",
    write: beside({ digests: { baseline: "pods", pullPolicy: "Never" } }),
    problems: [
      'digests.baseline: "pods" is none of restart, running',
      'digests.pullPolicy: "Never" is none of keep, always',
    ],
  },
  {
    when: "a proxy",
    write: proxied({ url, except: [".svc", "registry.internal:5000", "*.corp", "10.0.0.5"] }),
    problems: [],
  },
  { when: "a proxy without exceptions", write: proxied({ url: "http://10.0.0.1/" }), problems: [] },
  {
    when: "exceptions without a proxy",
    write: proxied({ except: [".svc"] }),
    problems: ["proxy.url: is missing, write http://host:port, in small letters, without a login or a path"],
  },
  {
    when: "a proxy with a login",
    write: proxied({ url: "http://me:secret@proxy.internal:3128" }),
    problems: ["proxy.url: holds a login, which whoever may look at a function would read: write http://host:port"],
  },
  {
    when: "a proxy over TLS",
    write: proxied({ url: "https://proxy.internal" }),
    problems: [`proxy.url: "https://proxy.internal" ${noProxy}`],
  },
  ...["10.0.0.0/8", "10.0.0.1-10.0.0.9", "*", "http://registry.internal", "a,b", "Registry.Internal"].map((host) => ({
    when: `${host} excepted`,
    write: proxied({ url, except: [host] }),
    problems: [`proxy.except[0]: "${host}" ${noHost}`],
  })),
  {
    when: "a host excepted twice",
    write: proxied({ url, except: [".svc", ".svc"] }),
    problems: ['proxy.except[1]: ".svc" is already proxy.except[0]'],
  },
];
