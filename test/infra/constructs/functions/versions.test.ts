import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { describe, expect, test } from "vitest";
import { createPawlStacks } from "../../../../infra/pawl-stacks.ts";
import { certificates } from "../../certificates.ts";
import { createApp, parseConfig, synthesised, withoutValidation } from "../../synthesized-stack.ts";

const eks = { clusterName: "prod", region: "eu-central-1" };
const folder = mkdtempSync(join(tmpdir(), "pawl-versions-"));
const [one, two] = ["one.pem", "two.pem"].map((name) => join(folder, name)) as [string, string];
writeFileSync(one, certificates);
writeFileSync(two, `${certificates}\n`);

/** Of an app of a user, which has none of the feature flags in cdk.json. */
const bareApp = () => new App({ ...withoutValidation, context: { "aws:cdk:bundling-stacks": [] } });

/** Returns what the definition of `workload-update`, and the alias of the poll, name. */
function versionsOf(app: App, more: object, cluster: object = {}): { readonly step: string; readonly poll: string } {
  const stacks = createPawlStacks(app, parseConfig({ clusters: [{ name: "prod", eks, ...cluster }], ...more }));
  const { template } = synthesised(stacks);
  const only = (type: string, name: string) =>
    Object.entries(template.findResources(type)).filter(([id]) => id.includes(name));
  const [[, machine]] = only("AWS::StepFunctions::StateMachine", "") as [[string, { Properties: Machine }]];
  const [[, alias]] = only("AWS::Lambda::Alias", "poll") as [[string, { Properties: Alias }]];
  const named = machine.Properties.DefinitionSubstitutions.CheckReadinessArn.Ref;
  const versions = Object.keys(template.findResources("AWS::Lambda::Version"));
  expect(versions).toContain(named);
  return { step: named, poll: alias.Properties.FunctionVersion["Fn::GetAtt"][0] };
}

interface Machine {
  readonly DefinitionSubstitutions: { readonly CheckReadinessArn: { readonly Ref: string } };
}
interface Alias {
  readonly FunctionVersion: { readonly "Fn::GetAtt": [string, string] };
}

describe.for([
  { app: "the app of cdk.json", create: () => createApp(withoutValidation) },
  { app: "a bare app", create: bareApp },
])("in $app, the versions", ({ create }) => {
  const before = versionsOf(create(), { registries: { certificateAuthority: one } });

  test("are the same if nothing changes", () => {
    expect(versionsOf(create(), { registries: { certificateAuthority: one } })).toEqual(before);
  });

  test("of all functions change with the settings of the cluster", () => {
    const after = versionsOf(create(), { registries: { certificateAuthority: one } }, { namespaces: ["shop"] });
    expect(after.step).not.toBe(before.step);
    expect(after.poll).not.toBe(before.poll);
  });

  test("of the poll change with the certificates, which are in its layer", () => {
    const after = versionsOf(create(), { registries: { certificateAuthority: two } });
    expect(after.poll).not.toBe(before.poll);
    expect(after.step).toBe(before.step);
  });
});

test("old versions of functions are kept, because executions in flight keep to them", () => {
  const { ofType } = synthesised(
    createPawlStacks(createApp(withoutValidation), parseConfig({ clusters: [{ name: "prod", eks }] })),
  );
  const versions = ofType("AWS::Lambda::Version");
  expect(versions.length).toBeGreaterThan(10);
  for (const [, version] of versions)
    expect(version).toMatchObject({ DeletionPolicy: "RetainExceptOnCreate", UpdateReplacePolicy: "Retain" });
});
