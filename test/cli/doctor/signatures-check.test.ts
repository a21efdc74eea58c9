import { expect, test } from "vitest";
import { signaturesCheck, signaturesVerdict } from "../../../cli/doctor/signatures-check.ts";
import type { VerifyConfig } from "../../../infra/config/schema.ts";
import { digestWorkload, tracking } from "../../support/digest-workloads.ts";
import { image, noon, workload } from "../../support/workloads.ts";

function ruleOf(repository: string, date = "2026-11-01"): VerifyConfig[number] {
  const trustedRoot = { file: "trusted_root.json", date };
  const keyless = { identity: "a", issuer: "https://b", repository: null, workflow: null, ref: null, trustedRoot };
  return { repositories: [repository], namespaces: null, any: [{ keyless }], attestations: [], mode: "enforce" };
}

test.for([
  {
    when: "all are used",
    rules: [ruleOf("registry.example/*")],
    images: [image],
    result: "passed",
    detail: "each of 1 rules",
  },
  {
    when: "one is not",
    rules: [ruleOf("registry.example"), ruleOf("ghcr.io")],
    images: [image],
    result: "failed",
    detail: "verify[1]",
  },
  { when: "no image is known", rules: [ruleOf("ghcr.io")], images: [null], result: "failed", detail: "verify[0]" },
  {
    when: "the root is 90 days old",
    rules: [ruleOf("*", "2026-08-22")],
    images: [image],
    result: "failed",
    detail: "verify[0]",
  },
  {
    when: "the root is older",
    rules: [ruleOf("registry.example", "2026-08-21")],
    images: [image],
    result: "failed",
    detail: "91 days old",
  },
])("rules of which $when: $result", ({ rules, images, result, detail }) => {
  const workloads = images.map((one) => workload({ image: one, source: one }));
  expect(signaturesVerdict(rules, workloads, noon)).toMatchObject({ result, detail: expect.stringContaining(detail) });
});

test("a rule for the image of another container that is tracked by digest is used", () => {
  const proxy = { name: "proxy", image: "ghcr.io/shop/proxy:1" };
  const workloads = [digestWorkload({ digests: { containers: [...tracking.containers, proxy] } })];
  expect(signaturesVerdict([ruleOf("ghcr.io/shop")], workloads, noon)).toMatchObject({ result: "passed" });
});

test("without rules no cluster is read", async () => {
  const check = signaturesCheck({ kubeconfig: "/none" }, [], () => noon);
  expect(await check.run()).toMatchObject({ result: "passed" });
});
