import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { synthesise } from "../infra/synthesized-stack.ts";
import { readDocument, root, sectionsOf } from "./document.ts";

const text = readDocument("getting-started.md");
const sections = sectionsOf(text, 2);
const blocksOf = (part: string) => [...part.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = ""]) => block);

const steps = [
  { step: "1. Bootstrap", command: "npx cdk bootstrap" },
  { step: "2. Configure", command: "npx --no-install pawl init" },
  { step: "3. Deploy", command: "npx cdk deploy --all" },
  { step: "4. Apply permissions", command: "kubectl apply -k infra/cluster" },
  { step: "5. Opt in", command: "kubectl annotate" },
  { step: "6. Watch", command: "kubectl get autoupdates --watch" },
];

test("docs/tutorial/getting-started.md has the steps in their order, each with its command", () => {
  expect([...sections.keys()].slice(0, steps.length)).toEqual(steps.map(({ step }) => step));
  for (const { step, command } of steps) expect(blocksOf(sections.get(step) ?? "").join("")).toContain(command);
});

test("README.md has the same commands in the same order", () => {
  const deploy = sectionsOf(readFileSync(join(root, "README.md"), "utf8"), 2).get("Deploy") ?? "";
  const positions = steps.slice(0, 4).map(({ command }) => deploy.indexOf(command));
  expect(positions).not.toContain(-1);
  expect(positions).toEqual(positions.toSorted((one, other) => one - other));
});

test("nothing is retained after the stacks are deleted, except versions, which their function or machine takes along", () => {
  const { template } = synthesise();
  const resources = Object.values(
    template.toJSON()["Resources"] as Record<string, { Type: string; DeletionPolicy?: string }>,
  );
  const retained = resources
    .filter(({ DeletionPolicy = "" }) => DeletionPolicy.startsWith("Retain"))
    .map(({ Type }) => Type);
  expect([...new Set(retained)].toSorted()).toEqual([
    "AWS::Lambda::Version",
    "AWS::StepFunctions::StateMachineVersion",
  ]);
});
