import * as v from "valibot";
import { closedObject, crossCheck, refine, text, unique } from "../../functions/domain/text/schema.ts";
import { certificatesProblem } from "./certificates.ts";
import * as grammar from "./grammar.ts";

const login = closedObject({
  secretArn: v.pipe(grammar.secretArn, v.description("A secret that holds a docker config.json.")),
  namespaces: v.nullish(
    v.pipe(
      v.array(grammar.namespace),
      v.minLength(1),
      unique<string>(),
      v.description("Only workloads in these namespaces use it. All, and node pools, if absent."),
    ),
    null,
  ),
  repositories: v.nullish(
    v.pipe(
      v.array(grammar.repositoryPattern),
      v.minLength(1),
      unique<string>(),
      v.description(
        "It is used for these repositories only, as host[:port][/path]. All that it has a login for if absent.",
      ),
    ),
    null,
  ),
});

const registryFields = {
  secretArn: v.nullish(
    v.pipe(
      grammar.secretArn,
      v.description(
        "A secret that holds a docker config.json, for workloads in all namespaces; anonymous if absent. The complete ARN, with the hyphen and six characters at its end.",
      ),
    ),
    null,
  ),
  logins: v.optional(
    v.pipe(
      v.array(login),
      v.description(
        "Logins for some namespaces or repositories only, in the order in which they are tried, before secretArn.",
      ),
    ),
    [],
  ),
  ecrAccounts: v.optional(
    v.pipe(
      v.array(grammar.accountId),
      unique<string>(),
      v.description("Accounts whose ECR repositories are read. The stack's own account if absent or empty."),
    ),
    [],
  ),
  ecrEvents: v.optional(
    v.pipe(
      v.array(closedObject({ account: grammar.accountId, region: grammar.region })),
      unique<{ account: string; region: string }>(({ account, region }) => `${account} ${region}`),
      v.description("Where other accounts and regions have ECR repositories, pushes to which start a poll too."),
    ),
    [],
  ),
  ecrRepositoryPrefixes: v.optional(
    v.pipe(
      v.array(grammar.ecrRepositoryPrefix),
      unique<string>(),
      v.description("Only ECR repositories whose names start with one of these are read. All if absent or empty."),
    ),
    [],
  ),
  insecureHosts: v.optional(
    v.pipe(v.array(grammar.registryHost), v.description("Registries that are requested over plain HTTP.")),
    [],
  ),
  allowed: v.optional(
    v.pipe(
      v.array(grammar.repositoryPattern),
      unique<string>(),
      v.minLength(1),
      v.description(
        'Repositories that may be requested, as host[:port][/path]; "*" is every registry with a public address. A host that is named here may have a private address.',
      ),
    ),
    ["*"],
  ),
  denied: v.optional(
    v.pipe(
      v.array(grammar.repositoryPattern),
      unique<string>(),
      v.description("Repositories that are never requested, as host[:port][/path]. They take precedence over allowed."),
    ),
    [],
  ),
  usePullSecrets: v.optional(
    v.pipe(
      v.boolean(),
      v.description("A poll also logs in with the pull secrets of workloads. Needs infra/cluster/pull-secrets."),
    ),
    false,
  ),
  certificateAuthority: v.nullish(
    v.pipe(
      text(/^\S(.*\S)?$/, "the path of a PEM file"),
      refine(certificatesProblem),
      v.description(
        "The path of a PEM file, relative to the project's root: certificate authorities of registries, in addition to the public ones.",
      ),
    ),
    null,
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
  onFirstSeen: v.optional(
    v.pipe(
      v.picklist(["restart", "adopt"]),
      v.description(
        "restart: a workload is restarted when it is first seen. adopt: the digests that its pods run are recorded.",
      ),
    ),
    "restart",
  ),
  imagePullPolicy: v.optional(
    v.pipe(
      v.picklist(["unchanged", "Always"]),
      v.description("Always: a restart also sets imagePullPolicy Always on the containers that it concerns."),
    ),
    "unchanged",
  ),
});

export const proxy = closedObject({
  url: v.pipe(
    grammar.proxyUrl,
    v.description("http://host:port, without a login, because the environment of a function would show it."),
  ),
  noProxy: v.optional(
    v.pipe(
      v.array(grammar.noProxyHost),
      unique<string>(),
      v.description(
        "Hosts that are requested directly: a name including its subdomains, .suffix, or an IP address, with or without :port. Ranges of addresses do not work.",
      ),
    ),
    [],
  ),
});
