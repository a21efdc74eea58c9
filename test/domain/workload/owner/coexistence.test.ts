import { expect, test } from "vitest";
import { describeCoexistence, type OwnedContainer } from "../../../../functions/domain/workload/owner/coexistence.ts";
import type { ImageOwner } from "../../../../functions/domain/workload/owner/image-owner.ts";
import { parse } from "yaml";
import { ownerEvent } from "../../../../functions/domain/workload/event/events.ts";
import { image, workload } from "../../../support/workloads.ts";

const ref = { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web", uid: "u-1" };
const web = workload({ ref, image: "registry.example/shop/app:1.1.0" });
const app = { name: "app", pointer: "/spec/template/spec/containers/0/image" };
const migrate = { name: "migrate", pointer: "/spec/template/spec/initContainers/1/image" };

interface Case {
  readonly tool: ImageOwner["tool"];
  readonly containers?: readonly OwnedContainer[];
  /** What is in the text. */
  readonly says: readonly string[];
}

const jq = '.spec.template.spec.containers[] | select(.name == "app") | .image';

test.for<Case>([
  { tool: "Argo CD", says: [`jqPathExpressions: ['${jq}']}]`, "syncOptions: [RespectIgnoreDifferences=true]"] },
  {
    tool: "Argo CD",
    containers: [app, migrate],
    says: [`['${jq}', '.spec.template.spec.initContainers[] | select(.name == "migrate") | .image']`],
  },
  {
    tool: "Flux Kustomization",
    containers: [app, migrate],
    says: [
      `spec.ignore: [{paths: [${app.pointer}, ${migrate.pointer}], target: {kind: Deployment, name: web}}]`,
      "kustomize.toolkit.fluxcd.io/ssa: IfNotPresent",
    ],
  },
  { tool: "Flux HelmRelease", says: ["spec.driftDetection.ignore: [{paths: [", "spec.values to 1.1.0"] },
  { tool: "Helm", says: ["--set VALUE=1.1.0", "--force-conflicts", "pawl.dev/on-revert: reapply"] },
  { tool: "field manager", says: ["--server-side", "pawl.dev/on-revert: reapply"] },
])("tells what to set for $tool", ({ tool, containers = [app], says }) => {
  const owned = { owner: { tool, name: "x", namespace: "y" }, containers };
  const text = describeCoexistence(web, owned);
  for (const part of says) expect(text).toContain(part);
  expect(text).toMatch(/y\/x sets the image too; /);
  // The API server cuts the message of an Event.
  expect(Buffer.byteLength(text)).toBeLessThan(1024);
});

test.for(["Argo CD", "Flux Kustomization"] as const)("the setting for %s is YAML that can be copied", (tool) => {
  const owned = { owner: { tool, name: "x", namespace: "y" }, containers: [app] };
  const [, list = ""] = /(?:ignoreDifferences|ignore): (\[.*?\}\])/.exec(describeCoexistence(web, owned)) ?? [];
  const target = { kind: "Deployment", name: "web" };
  expect(parse(list)).toEqual(
    tool === "Argo CD" ? [{ group: "apps", ...target, jqPathExpressions: [jq] }] : [{ paths: [app.pointer], target }],
  );
});

test.for([
  { running: image, tag: "1.0.0" },
  { running: null, tag: "" },
])("the Event at the opt-in names the owner and the running tag: $tag", ({ running, tag }) => {
  const owned = { owner: { tool: "Helm", name: "shop", namespace: "apps" }, containers: [app] } as const;
  expect(ownerEvent(workload({ image: running }), owned)).toMatchObject({
    type: "Normal",
    reason: "AutoUpdateOwner",
    message: expect.stringContaining(
      `Helm release apps/shop sets the image too; pass the running tag to each helm upgrade (--set VALUE=${tag},`,
    ),
    key: "Helm release apps/shop",
  });
});

test.for([
  { writeTo: "config", text: "x brings the image that Pawl commits to config; it needs no setting" },
  { writeTo: "", text: "x brings the image that Pawl commits to git; it needs no setting" },
])("asks for no setting if git names the image: $writeTo", ({ writeTo, text }) => {
  const owned = { owner: { tool: "Argo CD", name: "x", namespace: "y" }, containers: [app] } as const;
  const committed = { ...web, policy: { ...web.policy, writeTo } };
  expect(describeCoexistence(committed, owned, ["config"]).replace("Argo CD Application y/", "")).toBe(text);
});

test.for([
  { tool: "Argo CD", git: ["config"], proposed: "git/config" },
  { tool: "Flux HelmRelease", git: ["a", "b"], proposed: "git/a or pawl.dev/write-to: git/b" },
  { tool: "Argo CD", git: [], proposed: null },
  { tool: "Helm", git: ["config"], proposed: null },
] as const)("proposes $git to what $tool owns: $proposed", ({ tool, git, proposed }) => {
  const owned = { owner: { tool, name: "x", namespace: "y" }, containers: [app] };
  const [, found = null] =
    /commit the image: pawl.dev\/write-to: (.*) on the work/.exec(describeCoexistence(web, owned, git)) ?? [];
  expect(found).toBe(proposed);
});
