import { expect, test } from "vitest";
import type { VerifyRule } from "../../../../functions/domain/signature/rule.ts";
import type { Policy } from "../../../../functions/domain/workload/workload.ts";
import { createEvaluator } from "../../../../functions/workflows/poll/evaluate/create-evaluator.ts";
import { around } from "../../../handlers/steps.ts";
import { digest, digestWorkload, prod, tracking } from "../../../support/digest-workloads.ts";
import { policy } from "../../../support/workloads.ts";

const proxy = { name: "proxy", image: "signed.example/proxy:1" };
const images = { app: `${prod}@${digest(2)}`, proxy: `${proxy.image}@${digest(3)}` };
const digests = (image: string) => [image === proxy.image ? digest(3) : digest(2)];

test.for<{
  what: string;
  repositories: readonly string[];
  mode?: VerifyRule["mode"];
  unsigned?: string;
  own?: Partial<Policy>;
  asks: readonly string[];
  held: { readonly reason: string; readonly detail: string } | null;
}>([
  { what: "no rule is for either", repositories: ["other.example"], asks: [], held: null },
  { what: "one has a rule, and is signed", repositories: ["signed.example"], asks: [images.proxy], held: null },
  {
    what: "one has a rule, and is not signed",
    repositories: ["signed.example"],
    unsigned: images.proxy,
    asks: [images.proxy],
    held: { reason: "unverified", detail: `${images.proxy} is not verified` },
  },
  {
    what: "one has a rule that warns",
    repositories: ["signed.example"],
    mode: "warn",
    asks: [images.proxy],
    held: null,
  },
  {
    what: "both have one, and the second is not signed",
    repositories: ["signed.example", "registry.example"],
    unsigned: images.proxy,
    asks: [images.app, images.proxy],
    held: { reason: "unverified", detail: `${images.proxy} is not verified` },
  },
  {
    what: "both have one, and its own is not signed",
    repositories: ["signed.example", "registry.example"],
    unsigned: images.app,
    asks: [images.app],
    held: { reason: "unverified", detail: "the image is not verified" },
  },
  {
    what: "one has no rule, and its policy requires one",
    repositories: ["signed.example"],
    own: { isVerifyRequired: true },
    asks: [],
    held: { reason: "unverified", detail: "no rule of the deployment that is enforced" },
  },
  {
    what: "one has a rule, and its policy has pin: tag",
    repositories: ["signed.example"],
    own: { pin: "tag" },
    asks: [],
    held: { reason: "cannot-pin", detail: "pin: tag" },
  },
])("a restart for the digests of two images, of which $what: $held.reason", async (given) => {
  const { repositories, mode = "enforce", unsigned, own = {}, asks, held } = given;
  const deployed = { app: digest(1), proxy: digest(1) };
  const of = digestWorkload({
    policy: { ...policy, ...own },
    digests: { containers: [...tracking.containers, proxy], deployed },
  });
  const asked: string[] = [];
  const verifier = {
    scopes: [{ repositories, namespaces: null, mode }],
    async verify(_: unknown, { image }: { readonly image: string }) {
      asked.push(image);
      const kind = image === unsigned ? ("unverified" as const) : ("verified" as const);
      return { kind, digest: digest(9), reason: "as the test says" };
    },
  };
  const decision = await createEvaluator({ ...around(of, { digests }), verifier })(of);
  expect(asked).toEqual(asks);
  const reason = held?.reason ?? null;
  const found = decision.kind === "hold" ? decision : { reason: null, detail: decision.kind };
  expect([found.reason, found.detail]).toEqual([reason, expect.stringContaining(held?.detail ?? "update")]);
});
