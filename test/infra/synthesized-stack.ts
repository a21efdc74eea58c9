import { readFileSync } from "node:fs";
import { App, type AppProps, type Stack, type StackProps } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { readConfig } from "../../infra/config/read-config.ts";
import type { PawlConfigInput } from "../../infra/config/schema.ts";
import { createPawlStacks } from "../../infra/pawl-stacks.ts";

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly Condition?: string;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly DependsOn?: readonly string[];
  readonly Metadata?: { readonly "aws:cdk:path"?: string };
}

const { context } = JSON.parse(readFileSync("cdk.json", "utf8")) as { context: object };

/** Returns an app with the context of cdk.json, but without bundling. */
export function createApp(more: AppProps = {}): App {
  const withoutBundles = { "aws:cdk:bundling-stacks": [], "aws:cdk:enable-path-metadata": true };
  return new App({ ...more, context: { ...context, ...withoutBundles } });
}

/** Disables the slow template validation of the CDK; `synth.test.ts` runs it. */
export const withoutValidation = { builtinCloudFormationValidation: false };

/** Throws with all problems of the configuration. */
export function parseConfig(input: unknown): PawlConfigInput {
  const reading = readConfig(input, { allowsPlaceholders: true });
  if (reading.kind === "invalid") throw new Error(reading.problems.join("\n"));
  return reading.input;
}

export interface Synthesised {
  readonly template: Template;
  /** By path under the stack, such as `production/Functions/poll/Role`. */
  at(path: string): Resource;
  ofType(type: string): readonly (readonly [path: string, resource: Resource])[];
  /** Returns a property as text, with each reference as `<path>` or `<path.Attribute>`. */
  render(value: unknown): string;
}

/** Synthesizes the stacks of a configuration as one template, whose resources are found by their construct paths. */
export function synthesise(input: unknown = "infra/config/pawl.example.json", props: StackProps = {}): Synthesised {
  return synthesised(createPawlStacks(createApp(withoutValidation), parseConfig(input), props));
}

/** Logical ids differ between the stacks, because the construct of a cluster has its name. */
export function synthesised(stacks: readonly Stack[]): Synthesised {
  const templates = stacks.map((stack) => Template.fromStack(stack).toJSON() as Readonly<Record<string, object>>);
  const merge = (section: string) => Object.assign({}, ...templates.map((one) => one[section] ?? {})) as object;
  const sections = ["Resources", "Outputs", "Conditions"].map((section) => [section, merge(section)]);
  const template = Template.fromJSON(Object.fromEntries(sections) as object);
  const resources = template.toJSON()["Resources"] as Record<string, Resource>;
  const byPath = Object.entries(resources).map(([id, resource]) => [pathOf(resource), resource, id] as const);
  const pathsById = new Map(byPath.map(([path, , id]) => [id, path]));

  function render(value: unknown): string {
    if (typeof value === "string") return value;
    const [[kind, of] = ["", null]] = Object.entries(value as object) as [string, unknown][];
    if (kind === "Ref") return `<${pathsById.get(String(of)) ?? String(of)}>`;
    if (kind === "Fn::GetAtt") return `<${(of as string[]).map((part) => pathsById.get(part) ?? part).join(".")}>`;
    if (kind === "Fn::Join") return (of as [string, unknown[]])[1].map(render).join("");
    return JSON.stringify(value);
  }

  return {
    template,
    at(path) {
      const found = byPath.find(([one]) => one === path);
      if (found === undefined)
        throw new Error(`nothing at ${path}; there are ${byPath.map(([one]) => one).join(", ")}`);
      return found[1];
    },
    ofType: (type) =>
      byPath.filter(([, { Type }]) => Type === type).map(([path, resource]) => [path, resource] as const),
    render,
  };
}

/** Returns the construct path in a stack, without the construct of shared resources, and without a trailing `Resource`. */
function pathOf({ Metadata }: Resource): string {
  const path = Metadata?.["aws:cdk:path"] ?? "";
  return path
    .replace(/^[^/]+\/(Pawl\/)?/, "")
    .replace("/Default/", "/")
    .replace(/\/Resource$/, "");
}
