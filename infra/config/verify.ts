import * as v from "valibot";
import { githubIdentity, githubIssuer, parseIdentity } from "../../functions/domain/signature/identity.ts";
import { parsePredicateType, predicateAliases } from "../../functions/domain/signature/statement.ts";
import { closedObject, crossCheck, refine, text, textOr, unique } from "../../functions/domain/text/schema.ts";
import * as grammar from "./grammar.ts";
import { publicKeyProblem, trustedRootProblem } from "./verify-files.ts";

const path = /^\S(.*\S)?$/;

const trustedRoot = closedObject({
  file: v.pipe(
    text(path, "the path of a trusted_root.json"),
    refine(trustedRootProblem),
    v.description("The path of a trusted_root.json, relative to the project's root."),
  ),
  date: v.pipe(
    text(/^\d{4}-\d{2}-\d{2}$/, "a date such as 2026-11-30"),
    refine((date) => (Number.isNaN(Date.parse(date)) ? `"${date}" is not a date` : null)),
    v.description("When it was downloaded. An alarm reports one that is older than 90 days."),
  ),
});

const kmsKey = closedObject({
  kmsKeyArn: grammar.keyArn,
  publicKey: v.nullish(
    v.pipe(
      v.string(),
      v.description("Its public key in PEM. `cdk deploy` reads it from KMS if absent; a construct needs it."),
    ),
    null,
  ),
});

const key = v.pipe(
  closedObject({
    key: v.pipe(
      textOr(v.pipe(text(path, "the path of a public key in PEM"), refine(publicKeyProblem)), kmsKey),
      v.description(
        "A public key: the path of a PEM file, or a key of KMS, whose public key is read at the deployment.",
      ),
    ),
    transparencyLog: v.optional(
      v.pipe(
        v.picklist(["required", "optional"]),
        v.description("required: the signature has an entry in a log of the trusted root. optional: no log is asked."),
      ),
      "required",
    ),
    trustedRoot: v.nullish(trustedRoot, null),
  }),
  crossCheck(["transparencyLog", "trustedRoot"], (one) =>
    one.transparencyLog === "required" && one.trustedRoot === null
      ? [{ path: ["trustedRoot"], reason: 'is missing; name the logs by it, or set transparencyLog to "optional"' }]
      : [],
  ),
);

const identity = v.pipe(
  v.string(),
  refine((written) => {
    const parsed = parseIdentity(written);
    return parsed.kind === "invalid" ? parsed.reason : null;
  }),
);

const certificate = v.pipe(
  closedObject({
    identity: v.nullish(
      v.pipe(
        identity,
        v.description("The whole subject of the certificate, or an expression that begins with ^ and ends with $."),
      ),
      null,
    ),
    repository: v.nullish(
      v.pipe(
        text(/^[\w.-]+\/[\w.-]+$/, "OWNER/REPOSITORY"),
        v.description("The GitHub repository of the workflow that signs."),
      ),
      null,
    ),
    workflow: v.nullish(
      v.pipe(
        text(/^[\w.-]+\.ya?ml$/, "a file of .github/workflows"),
        v.description("The file of the workflow; any if absent."),
      ),
      null,
    ),
    ref: v.nullish(
      v.pipe(
        text(/^refs\/\S+$/, "a git reference such as refs/heads/main"),
        v.description("The git reference of the workflow."),
      ),
      null,
    ),
    issuer: v.nullish(
      v.pipe(
        text(/^https:\/\/\S+$/, "an https:// address"),
        v.description("The OIDC provider. That of GitHub Actions if absent beside repository."),
      ),
      null,
    ),
    trustedRoot,
  }),
  crossCheck(["identity", "repository", "ref", "issuer", "workflow"], (one) => {
    if ((one.identity === null) === (one.repository === null))
      return [{ path: ["identity"], reason: "name either identity and issuer, or repository and ref" }];
    if (one.identity !== null && one.issuer === null)
      return [{ path: ["issuer"], reason: "is missing; anybody may have this identity at another issuer" }];
    if (one.repository !== null && one.ref === null)
      return [{ path: ["ref"], reason: "is missing; on any reference, everybody who can push a branch could sign" }];
    return [];
  }),
);

const keyless = closedObject({ keyless: certificate });

const authority = v.pipe(
  v.union([key, keyless]),
  v.description("Who may sign: one key, or one identity of a certificate."),
);

/** Of a key, or of a certificate: the problems are of the one that is given. */
const checkedAuthority = {
  ...authority,
  "~run": ((dataset, config) => {
    const { value } = dataset;
    const isKeyless = typeof value === "object" && value !== null && "keyless" in value;
    return (isKeyless ? keyless : key)["~run"](dataset, config);
  }) as (typeof authority)["~run"],
};

const any = v.pipe(
  v.array(checkedAuthority),
  v.minLength(1, "at least one authority"),
  v.description("Who may have signed: one suffices."),
);

const attestation = closedObject({
  predicateType: v.pipe(
    v.string(),
    refine((type) =>
      parsePredicateType(type) === null
        ? `"${type}" is no predicate type; use a URL or one of ${predicateAliases.join(", ")}`
        : null,
    ),
    v.description(`What must be attested: a URL, or one of ${predicateAliases.join(", ")}.`),
  ),
  any,
  builder: v.nullish(
    v.pipe(v.string(), v.nonEmpty(), v.description("The builder that the SLSA provenance must name.")),
    null,
  ),
});

const rule = v.pipe(
  closedObject({
    repositories: v.pipe(
      v.array(
        text(
          /^(?:\*|(?=.*[a-z0-9])[A-Za-z0-9.*-]+(?::[0-9]{1,5})?(?:\/[a-z0-9._/-]+)?(?:\/\*)?)$/,
          "host[:port][/path], such as ghcr.io/shop or ghcr.io/shop/*",
        ),
      ),
      v.minLength(1, "at least one repository"),
      unique<string>(),
      v.description("Of which repositories the images are verified, as host[:port][/path]."),
    ),
    namespaces: v.nullish(
      v.pipe(
        v.array(grammar.namespace),
        v.minLength(1),
        unique<string>(),
        v.description("Only of workloads in these namespaces. All if absent."),
      ),
      null,
    ),
    any: v.optional(any),
    attestations: v.optional(
      v.pipe(v.array(attestation), v.description("What must be attested too: all of them.")),
      [],
    ),
    mode: v.optional(
      v.pipe(
        v.picklist(["enforce", "warn"]),
        v.description("warn: an image that is not verified is reported, and applied."),
      ),
      "enforce",
    ),
  }),
  crossCheck(["any", "attestations"], (one) =>
    one.any === undefined && one.attestations.length === 0
      ? [{ path: ["any"], reason: "is missing; name who may have signed, or an attestation" }]
      : [],
  ),
);

export const verify = v.pipe(
  v.array(rule),
  v.description("Who must have signed images before Pawl writes them. Every rule for a repository must be met."),
);

type Certificate = v.InferOutput<typeof certificate>;

/** Returns identity and issuer of a certificate that the configuration names, also if it names a workflow of GitHub Actions. */
export function subjectOf({ identity: own, issuer, repository, workflow, ref }: Readonly<Certificate>) {
  if (own !== null && issuer !== null) return { identity: own, issuer };
  return { identity: githubIdentity(repository ?? "", workflow, ref ?? ""), issuer: issuer ?? githubIssuer };
}
