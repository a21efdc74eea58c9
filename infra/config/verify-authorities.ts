import * as v from "valibot";
import { githubIdentity, githubIssuer, parseIdentity } from "../../functions/domain/signature/identity.ts";
import {
  closedObject,
  crossCheck,
  nullSetting,
  refine,
  setting,
  text,
  textOr,
  unique,
} from "../../functions/domain/text/schema.ts";
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
  publicKey: nullSetting(
    v.string(),
    "Its public key in PEM. `cdk deploy` reads it from KMS if absent; a construct needs it.",
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
    transparencyLog: setting(
      v.picklist(["required", "optional"]),
      "required: the signature has an entry in a log of the trusted root. optional: no log is asked.",
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
    identity: nullSetting(
      identity,
      "The whole subject of the certificate, or an expression that begins with ^ and ends with $.",
    ),
    repository: nullSetting(
      text(/^[\w.-]+\/[\w.-]+$/, "OWNER/REPOSITORY"),
      "The GitHub repository of the workflow that signs.",
    ),
    workflow: nullSetting(
      text(/^[\w.-]+\.ya?ml$/, "a file of .github/workflows"),
      "The file of the workflow; any if absent.",
    ),
    ref: nullSetting(
      text(/^refs\/\S+$/, "a git reference such as refs/heads/main"),
      "The git reference of the workflow.",
    ),
    issuer: nullSetting(
      text(/^https:\/\/\S+$/, "an https:// address"),
      "The OIDC provider. That of GitHub Actions if absent beside repository.",
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

const ecrSigning = closedObject({
  ecrSigning: v.pipe(
    closedObject({
      profiles: v.pipe(
        v.array(
          text(
            /^arn:aws[a-z-]*:signer:[a-z0-9-]+:[0-9]{12}:\/signing-profiles\/[A-Za-z0-9_]{2,64}$/,
            "the ARN of a profile of AWS Signer, without its version",
          ),
        ),
        v.minLength(1, "at least one profile"),
        unique<string>(),
        v.description("By which profiles of AWS Signer ECR must have signed the image: one suffices."),
      ),
    }),
    v.description("ECR managed signing. ECR says that it has signed the image; the signature is not verified."),
  ),
});

const authority = v.pipe(
  v.union([key, keyless, ecrSigning]),
  v.description("Who may sign: one key, one identity of a certificate, or ECR."),
);

/** Of a key, or of a certificate: the problems are of the one that is given. */
export const checkedAuthority = {
  ...authority,
  "~run": ((dataset, config) => {
    const { value } = dataset;
    const fields = typeof value === "object" && value !== null ? value : {};
    const chosen = "keyless" in fields ? keyless : "ecrSigning" in fields ? ecrSigning : key;
    return chosen["~run"](dataset, config);
  }) as (typeof authority)["~run"],
};

type Certificate = v.InferOutput<typeof certificate>;

/** Returns identity and issuer of a certificate that the configuration names, also if it names a workflow of GitHub Actions. */
export function subjectOf({ identity: own, issuer, repository, workflow, ref }: Readonly<Certificate>) {
  if (own !== null && issuer !== null) return { identity: own, issuer };
  return { identity: githubIdentity(repository ?? "", workflow, ref ?? ""), issuer: issuer ?? githubIssuer };
}
