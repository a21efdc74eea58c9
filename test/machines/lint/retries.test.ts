import { describe, expect, test } from "vitest";
import { readMachine } from "../asl-files.ts";
import type { LintedMachine } from "./definition.ts";
import { commonRetries } from "./retries.ts";

describe("an invalid Retry list", () => {
  type Retrier = Readonly<Record<string, unknown>> & { readonly ErrorEquals: readonly string[] };
  const machine = readMachine("workload-update");
  const list = machine.States["RollBack"]?.["Retry"] as readonly Retrier[];
  const withList = (Retry: readonly object[]): LintedMachine => ({
    ...machine,
    States: Object.fromEntries(
      Object.entries(machine.States).map(([name, state]) => [
        name,
        state.Type === "Task" ? { ...state, Retry } : state,
      ]),
    ),
  });
  const changed = (error: string, change: object) =>
    withList(list.map((retrier) => (retrier.ErrorEquals.includes(error) ? { ...retrier, ...change } : retrier)));

  test.for([
    "Lambda.ServiceException",
    "Lambda.AWSLambdaException",
    "Lambda.SdkClientException",
    "Lambda.ClientExecutionTimeoutException",
    "Lambda.TooManyRequestsException",
    "Throttled",
    "Unreachable",
    "Forbidden",
    "Conflict",
    "Lambda.ResourceNotReadyException",
    "Runtime.OutOfMemory",
    "SecretUnreadable",
  ])("without %s", (error) => {
    const shorter = list.map((retrier) => ({
      ...retrier,
      ErrorEquals: retrier.ErrorEquals.filter((one) => one !== error),
    }));
    expect(commonRetries(withList(shorter))).toEqual([`VerifyImage: ${error} is not retried`]);
  });

  test.for([
    {
      when: "without jitter",
      change: { JitterStrategy: "NONE" },
      message: "Unreachable, Forbidden, Conflict without full jitter",
    },
    {
      when: "with slow first retries",
      change: { IntervalSeconds: 5 },
      message: "Unreachable is retried after 5, 10, 20, 30, 30, 30, 30 s",
    },
  ])("$when", ({ change, message }) => {
    expect(commonRetries(changed("Unreachable", change))).toContain(`VerifyImage: ${message}`);
  });

  test("with too few attempts", () => {
    expect(commonRetries(changed("Unreachable", { MaxAttempts: 20 }))).toEqual(
      ["Unreachable", "Forbidden", "Conflict"].map((error) => `VerifyImage: ${error} is retried for 240.5 s`),
    );
  });

  test("a Task with another Retry list", () => {
    const changedMachine = {
      ...machine,
      States: { ...machine.States, ContinueAsNew: { Type: "Task", Retry: list.slice(1) } },
    };
    expect(commonRetries(changedMachine)).toEqual(["ContinueAsNew: its Retry list is not that of VerifyImage"]);
  });
});
