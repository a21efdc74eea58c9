import { expect, test } from "vitest";
import { readDefinition } from "../../infra/read-definition.ts";
import type { Synthesised } from "./synthesized-stack.ts";

/** Tests a machine of the cluster `production`, given the name of its file, its construct path, and the Tasks whose functions are not deployed. */
export function testStateMachine(
  { at, render }: Synthesised,
  name: string,
  path: string,
  disabled: readonly string[] = [],
): void {
  const machine = at(`${path}/Machine`).Properties;

  test("the machine is Standard, traced, and logs its errors with their data to a vended log group", () => {
    expect(machine).toMatchObject({
      StateMachineName: `pawl-production-${name}`,
      StateMachineType: "STANDARD",
      TracingConfiguration: { Enabled: true },
      LoggingConfiguration: { Level: "ERROR", IncludeExecutionData: true },
    });
    expect(at(`${path}/Logs`).Properties).toEqual({
      LogGroupName: `/aws/vendedlogs/states/pawl-production-${name}`,
      RetentionInDays: 30,
    });
  });

  test("every Task of the file invokes the version of the function of its own name, so that an execution keeps to its code", () => {
    const definition = readDefinition(name);
    const variables = [...new Set([...definition.matchAll(/\$\{(\w+)\}/g)].map(([, task]) => task ?? ""))].sort();
    const substitutions = machine["DefinitionSubstitutions"] as Record<string, unknown>;
    const substituted = variables.filter((variable) => !disabled.includes(variable.replace(/Arn$/, "")));
    expect(Object.keys(substitutions).sort()).toEqual(substituted);
    expect(definition).not.toContain("arn:aws");
    expect(substitutions["Partition"]).toEqual({ Ref: "AWS::Partition" });
    for (const task of substituted.filter((variable) => variable.endsWith("Arn"))) {
      const words = task.replace(/Arn$/, "").replace(/(?!^)([A-Z])/g, "-$1");
      expect(render(substitutions[task])).toBe(`<production/Functions/${words.toLowerCase()}/Function/CurrentVersion>`);
    }
  });

  test("the machine has a timeout", () => {
    const { TimeoutSeconds } = JSON.parse(readDefinition(name)) as {
      TimeoutSeconds: number;
    };
    expect(TimeoutSeconds).toBeGreaterThan(0);
  });
}
