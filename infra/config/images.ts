import * as grammar from "./grammar.ts";
import { problemWithCertificates } from "./certificates.ts";
import { checked, flag, listOf, object, oneOf, optional, text, unique } from "./reader.ts";

export const noRegistries = {
  secretArn: null,
  ecrAccounts: [],
  insecureHosts: [],
  pullSecrets: false,
  certificateAuthority: null,
} as const;

const certificates = checked(text(/^\S(.*\S)?$/, "the path of a PEM file"), problemWithCertificates);

export const registries = object({
  secretArn: optional(grammar.secretArn, null),
  ecrAccounts: optional(
    unique(listOf(grammar.accountId), (id) => id),
    [],
  ),
  insecureHosts: optional(listOf(grammar.registryHost), []),
  pullSecrets: optional(flag, false),
  certificateAuthority: optional(certificates, null),
});

export const noDigests = { baseline: "restart", pullPolicy: "keep" } as const;

export const digests = object({
  baseline: optional(oneOf(["restart", "running"]), noDigests.baseline),
  pullPolicy: optional(oneOf(["keep", "always"]), noDigests.pullPolicy),
});

export const proxy = object({
  url: grammar.proxyUrl,
  except: optional(
    unique(listOf(grammar.proxyException), (host) => host),
    [],
  ),
});
