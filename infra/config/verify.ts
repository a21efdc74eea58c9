import * as v from "valibot";
import { parsePredicateType, predicateAliases } from "../../functions/domain/signature/statement.ts";
import {
  closedObject,
  crossCheck,
  nullSetting,
  refine,
  setting,
  text,
  unique,
} from "../../functions/domain/text/schema.ts";
import * as grammar from "./grammar.ts";
import { checkedAuthority } from "./verify-authorities.ts";

const any = v.pipe(
  v.array(checkedAuthority),
  v.minLength(1, "at least one authority"),
  v.description("Who may have signed: one suffices."),
);

/** ECR signs images, and states nothing else about them. */
const attested = refine((one: v.InferOutput<typeof checkedAuthority>) =>
  "ecrSigning" in one ? "ECR makes no attestations; name a key or an identity" : null,
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
  any: v.pipe(
    v.array(v.pipe(checkedAuthority, attested)),
    v.minLength(1, "at least one authority"),
    v.description("Who may have attested it: one suffices."),
  ),
  builder: nullSetting(v.pipe(v.string(), v.nonEmpty()), "The builder that the SLSA provenance must name."),
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
    namespaces: nullSetting(
      v.pipe(v.array(grammar.namespace), v.minLength(1), unique<string>()),
      "Only of workloads in these namespaces. All if absent.",
    ),
    any: v.optional(any),
    attestations: setting(v.array(attestation), "What must be attested too: all of them.", []),
    mode: setting(
      v.picklist(["enforce", "warn"]),
      "warn: an image that is not verified is reported, and applied.",
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
