import * as v from "valibot";
import {
  closedObject,
  crossCheck,
  nullSetting,
  refine,
  setting,
  text,
  unique,
} from "../../functions/domain/text/schema.ts";
import { certificatesProblem } from "./certificates.ts";
import * as grammar from "./grammar.ts";

const login = closedObject({
  secretArn: v.pipe(grammar.secretArn, v.description("A secret that holds a docker config.json.")),
  namespaces: nullSetting(
    v.pipe(v.array(grammar.namespace), v.minLength(1), unique<string>()),
    "Only workloads in these namespaces use it. All, and node pools, if absent.",
  ),
  repositories: nullSetting(
    v.pipe(v.array(grammar.repositoryPattern), v.minLength(1), unique<string>()),
    "It is used for these repositories only, as host[:port][/path]. All that it has a login for if absent.",
  ),
});

const registryFields = {
  secretArn: nullSetting(
    grammar.secretArn,
    "A secret that holds a docker config.json, for workloads in all namespaces; anonymous if absent. The complete ARN, with the hyphen and six characters at its end.",
  ),
  logins: setting(
    v.array(login),
    "Logins for some namespaces or repositories only, in the order in which they are tried, before secretArn.",
    [],
  ),
  ecrAccounts: setting(
    v.pipe(v.array(grammar.accountId), unique<string>()),
    "Accounts whose ECR repositories are read. The stack's own account if absent or empty.",
    [],
  ),
  ecrEvents: setting(
    v.pipe(
      v.array(closedObject({ account: grammar.accountId, region: grammar.region })),
      unique<{ account: string; region: string }>(({ account, region }) => `${account} ${region}`),
    ),
    "Where other accounts and regions have ECR repositories, pushes to which start a poll too.",
    [],
  ),
  ecrRepositoryPrefixes: setting(
    v.pipe(v.array(grammar.ecrRepositoryPrefix), unique<string>()),
    "Only ECR repositories whose names start with one of these are read. All if absent or empty.",
    [],
  ),
  insecureHosts: setting(v.array(grammar.registryHost), "Registries that are requested over plain HTTP.", []),
  allowed: setting(
    v.pipe(v.array(grammar.repositoryPattern), unique<string>(), v.minLength(1)),
    'Repositories that may be requested, as host[:port][/path]; "*" is every registry with a public address. A host that is named here may have a private address.',
    ["*"],
  ),
  denied: setting(
    v.pipe(v.array(grammar.repositoryPattern), unique<string>()),
    "Repositories that are never requested, as host[:port][/path]. They take precedence over allowed.",
    [],
  ),
  usePullSecrets: setting(
    v.boolean(),
    "A poll also logs in with the pull secrets of workloads. Needs infra/cluster/pull-secrets.",
    false,
  ),
  certificateAuthority: nullSetting(
    v.pipe(text(/^\S(.*\S)?$/, "the path of a PEM file"), refine(certificatesProblem)),
    "The path of a PEM file, relative to the project's root: certificate authorities of registries, in addition to the public ones.",
  ),
};

export const registries = v.pipe(
  closedObject(registryFields),
  crossCheck(["ecrEvents", "ecrAccounts"], ({ ecrEvents, ecrAccounts }) =>
    ecrEvents.flatMap(({ account }, index) => {
      if (ecrAccounts.includes(account)) return [];
      const reason = `${account} is not in registries.ecrAccounts: its repositories are not read; name it there, and your own`;
      return [{ path: ["ecrEvents", index, "account"], reason }];
    }),
  ),
);

/** How workloads are updated if the digest of their tag changes. */
export const digests = closedObject({
  onFirstSeen: setting(
    v.picklist(["restart", "adopt"]),
    "restart: a workload is restarted when it is first seen. adopt: the digests that its pods run are recorded.",
    "restart",
  ),
  imagePullPolicy: setting(
    v.picklist(["unchanged", "Always"]),
    "Always: a restart also sets imagePullPolicy Always on the containers that it concerns.",
    "unchanged",
  ),
});

export const proxy = closedObject({
  url: v.pipe(
    grammar.proxyUrl,
    v.description("http://host:port, without a login, because the environment of a function would show it."),
  ),
  noProxy: setting(
    v.pipe(v.array(grammar.noProxyHost), unique<string>()),
    "Hosts that are requested directly: a name including its subdomains, .suffix, or an IP address, with or without :port. Ranges of addresses do not work.",
    [],
  ),
});
