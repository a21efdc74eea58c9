import { type LintedMachine, textOf } from "./definition.ts";

const machineFields = ["Comment", "StartAt", "TimeoutSeconds", "States"];
const anyStateFields = ["Type", "Comment"];

/** Features that both engines support. All others are rejected. */
const stateFields: Readonly<Record<string, readonly string[]>> = {
  Task: ["Resource", "TimeoutSeconds", "Parameters", "ResultSelector", "ResultPath", "Retry", "Catch", "Next"],
  Choice: ["Choices", "Default"],
  Wait: ["Seconds", "SecondsPath", "Next"],
  Pass: ["Parameters", "Result", "ResultPath", "Next"],
  Succeed: [],
  Fail: ["Error", "Cause", "CausePath"],
};

const causePath = /^\$(?:\.[A-Za-z]\w*)+$/;

/** Checks the types of states, their fields, the timeout of the machine and the CausePath of a Fail. */
export function plainFeatures(machine: LintedMachine): readonly string[] {
  return [
    ...unknownFields("the machine", machine, machineFields),
    ...(isPositive(machine["TimeoutSeconds"]) ? [] : ["the machine: no TimeoutSeconds"]),
    ...(JSON.stringify(machine).search(/\$\$\.State\b/) === -1 ? [] : ["the machine: $$.State is not allowed"]),
    ...Object.entries(machine.States).flatMap(([name, state]) => {
      const fields = stateFields[state.Type];
      if (fields === undefined) return [`${name}: ${state.Type} is not allowed`];
      return [...unknownFields(name, state, [...anyStateFields, ...fields]), ...causeOf(name, state["CausePath"])];
    }),
  ];
}

function unknownFields(where: string, value: object, known: readonly string[]): readonly string[] {
  return Object.keys(value)
    .filter((field) => !known.includes(field))
    .map((field) => `${where}: ${field} is not allowed`);
}

function causeOf(name: string, path: unknown): readonly string[] {
  return path === undefined || causePath.test(textOf(path)) ? [] : [`${name}: CausePath ${textOf(path)} is not a path`];
}

function isPositive(value: unknown): boolean {
  return typeof value === "number" && value > 0;
}
