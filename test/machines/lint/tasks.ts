import { type LintedMachine, type LintedState, recordsIn, statesOf, stringsIn, textOf } from "./definition.ts";

const resultPath = /^\$\.[A-Za-z]\w*$/;

/** Checks that every Task invokes its own Lambda, has a timeout and a ResultSelector, and catches every error. */
export function completeTasks(machine: LintedMachine): readonly string[] {
  return [
    ...statesOf(machine, "Task").flatMap(([name, state]) => problemsOfTask(name, state)),
    ...statesOf(machine, "Pass").flatMap(([name, state]) => problemsOfResultPath(name, state["ResultPath"])),
  ];
}

function problemsOfTask(name: string, state: LintedState): readonly string[] {
  const { Resource: resource, TimeoutSeconds: timeout, ResultSelector: selector, Parameters: parameters } = state;
  const called = (parameters as { FunctionName?: unknown } | undefined)?.FunctionName;
  return [
    ...(resource === "arn:aws:states:::lambda:invoke" ? [] : [`${name}: ${textOf(resource)} is not lambda:invoke`]),
    ...(typeof timeout === "number" && timeout > 0 ? [] : [`${name}: no TimeoutSeconds`]),
    ...(typeof selector === "object" ? [] : [`${name}: no ResultSelector`]),
    ...(called === `\${${name}Arn}` ? [] : [`${name}: FunctionName ${textOf(called)} is not \${${name}Arn}`]),
    ...problemsOfResultPath(name, state["ResultPath"]),
    ...problemsOfCatch(name, state["Catch"]),
  ];
}

function problemsOfResultPath(name: string, path: unknown): readonly string[] {
  if (path === null || resultPath.test(textOf(path))) return [];
  return [`${name}: ResultPath ${textOf(path)} is neither $.name nor null`];
}

function problemsOfCatch(name: string, written: unknown): readonly string[] {
  const catchers = recordsIn(written);
  const last = catchers.at(-1);
  const isTotal = stringsIn(last?.["ErrorEquals"]).join(" ") === "States.ALL";
  return [
    ...(isTotal ? [] : [`${name}: the last Catch is not States.ALL`]),
    ...catchers.flatMap((catcher) => problemsOfResultPath(`${name}'s Catch`, catcher["ResultPath"])),
  ];
}
