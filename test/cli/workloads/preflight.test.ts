import { expect, test } from "vitest";
import { preflight, type PreflightPorts } from "../../../cli/workloads/preflight.ts";
import type { Authority } from "../../../functions/domain/signature/authority.ts";
import { formatImageReference, type ImageReference } from "../../../functions/domain/image/reference.ts";
import { signaturePredicate } from "../../../functions/domain/signature/statement.ts";
import type { VerifyRule } from "../../../functions/domain/signature/rule.ts";
import { NotAnImage, RegistryUnauthorized, RepositoryNotFound, Unreachable } from "../../../functions/ports/errors.ts";
import { release, released, snapshot } from "../../domain/workload/release/releases.ts";

const digest = `sha256:${"a".repeat(64)}`;
const repository = "registry.example/shop/app";
const image = `${repository}:1.1.0`;
const found = released([release(1), release(2)], "hash-2");

function ruleFor(by: Authority, parts: Partial<VerifyRule> = {}): VerifyRule {
  const requirements = [{ predicateType: signaturePredicate, any: [by], builder: null }];
  return { repositories: [repository], namespaces: null, mode: "enforce", requirements, ...parts };
}

const key: Authority = { kind: "key", name: "k", publicKey: "", transparencyLog: "optional", trustedRoot: null };

interface Given {
  readonly snapshots?: PreflightPorts["cluster"]["readSnapshots"];
  readonly answer?: (image: ImageReference) => string;
  readonly ran?: readonly string[];
  readonly rules?: readonly VerifyRule[] | null;
}

/** A registry without signatures. */
function portsOf({ snapshots, answer = () => digest, ran = [], rules = [] }: Given): PreflightPorts {
  const fetchManifest = async ({ tag }: ImageReference) =>
    tag?.startsWith("sha256-") ? null : { digest, layers: [], manifests: [], annotations: {}, artifactType: null };
  const registry = {
    digestOf: async (one: ImageReference) => answer(one),
    fetchManifest,
    listReferrers: async () => [],
  } as unknown as PreflightPorts["registry"];
  return {
    cluster: {
      readSnapshots: snapshots ?? (async () => [snapshot(2), snapshot(1)]),
      pullSecrets: async () => [],
      imagesThatRan: async () => ran,
    },
    registry,
    rules,
    checkReferences: async () => ({ missing: [], unchecked: [] }),
  };
}

const fails = (error: Error) => () => {
  throw error;
};

test.for<{ when: string; given: Given; missing?: string; unchecked?: string }>([
  { when: "everything exists", given: {} },
  { when: "there is no snapshot", given: { snapshots: async () => [] }, missing: "it has no snapshot any more" },
  {
    when: "the image does not exist",
    given: { answer: fails(new RepositoryNotFound("answered 404")) },
    missing: `image ${image}: answered 404`,
  },
  {
    when: "it is no image",
    given: { answer: fails(new NotAnImage(`${image}: a Helm chart`)) },
    missing: `image ${image}: a Helm chart`,
  },
  {
    when: "the registry wants a login",
    given: { answer: fails(new RegistryUnauthorized("requires a login")) },
    unchecked: "requires a login",
  },
  { when: "the registry does not answer", given: { answer: fails(new Unreachable("no")) }, unchecked: `${image}: no` },
  { when: "no rules are known", given: { rules: null }, unchecked: "signatures: no pawl.json is named with -c" },
  { when: "a rule is not met", given: { rules: [ruleFor(key)] }, missing: `signature of ${image}: ` },
  { when: "the workload ran the image before", given: { rules: [ruleFor(key)], ran: [image] } },
  { when: "a rule only warns", given: { rules: [ruleFor(key, { mode: "warn" })] } },
  { when: "a rule is for another namespace", given: { rules: [ruleFor(key, { namespaces: ["other"] })] } },
  {
    when: "only ECR could tell",
    given: { rules: [ruleFor({ kind: "ecr", profiles: ["arn"] })] },
    unchecked: `signature of ${image}: `,
  },
])("a release is looked up: $when", async ({ given, missing, unchecked }) => {
  const looked = await preflight(portsOf(given), found, release(1));
  const texts = [looked.missing, looked.unchecked].map((all) => all.join("; "));
  expect(texts).toEqual([missing, unchecked].map((text) => expect.stringMatching(text ?? /^$/)));
});

test("an image is looked up by the digest that the release had", async () => {
  const asked: string[] = [];
  const answer = (one: ImageReference) => {
    asked.push(formatImageReference(one));
    return digest;
  };
  await preflight(portsOf({ answer }), found, release(1, { digests: { app: digest } }));
  expect(asked).toEqual([expect.stringContaining(`@${digest}`)]);
});

test("a bug is no answer of a registry", async () => {
  const answer = fails(new TypeError("undefined is not a function"));
  await expect(preflight(portsOf({ answer }), found, release(1))).rejects.toThrow(TypeError);
});
