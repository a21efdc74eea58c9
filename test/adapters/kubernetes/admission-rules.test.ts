import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import {
  type AdmissionRules,
  hashRules,
  isOfThisRelease,
  policyHashes,
} from "../../../functions/adapters/kubernetes/admission-rules.ts";

const names = ["approvals", "requests"] as const;

function specOf(name: (typeof names)[number]): AdmissionRules {
  const [policy = expect.fail(`${name} is empty`)] = parseAllDocuments(
    readFileSync(`infra/cluster/admission-policies/${name}.yaml`, "utf8"),
  );
  return (policy.toJS() as { spec: AdmissionRules }).spec;
}

const rules = specOf("approvals").matchConstraints?.resourceRules ?? [];
const [rule] = rules;

test.for(names)("the policy of %s is that of this release", (name) => {
  expect(policyHashes[name]).toBe(hashRules(specOf(name)));
});

test("what the API server adds does not count", () => {
  const { matchConstraints, ...others } = specOf("approvals");
  const resourceRules = rules.map((one) => ({ ...one, scope: "*" }));
  const added = { matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {} };
  const spec = { ...others, matchConstraints: { ...matchConstraints, ...added, resourceRules } };
  expect(isOfThisRelease("approvals", spec)).toBe(true);
});

test.for<{ when: string; parts: Partial<AdmissionRules> }>([
  { when: "validates nothing", parts: { validations: [] } },
  { when: "always agrees", parts: { validations: [{ expression: "true" }] } },
  { when: "has another variable", parts: { variables: [{ name: "written", expression: "{}" }] } },
  { when: "ignores failures", parts: { failurePolicy: "Ignore" } },
  { when: "has conditions", parts: { matchConditions: [{ name: "never", expression: "false" }] } },
  { when: "does not match node pools", parts: { matchConstraints: { resourceRules: rules.slice(0, 1) } } },
  { when: "matches nothing", parts: { matchConstraints: {} } },
  { when: "matches one name", parts: { matchConstraints: { resourceRules: [{ ...rule, resourceNames: ["x"] }] } } },
  {
    when: "matches some namespaces",
    parts: { matchConstraints: { resourceRules: [{ ...rule }], namespaceSelector: { matchLabels: { a: "b" } } } },
  },
])("a policy of that name that $when is not", ({ parts }) => {
  expect(isOfThisRelease("approvals", { ...specOf("approvals"), ...parts })).toBe(false);
});
