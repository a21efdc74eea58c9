import { describe, expect, test } from "vitest";
import { readMachine } from "./asl-files.ts";
import type { LintedMachine } from "./lint/definition.ts";
import { retries } from "./lint/retries.ts";

describe("not the Retry list", () => {
  type Retrier = Readonly<Record<string, unknown>> & { readonly ErrorEquals: readonly string[] };
  const good = readMachine("workload-update");
  const list = good.States["RollBack"]?.["Retry"] as readonly Retrier[];
  const withList = (Retry: readonly object[]): LintedMachine => ({
    ...good,
    States: Object.fromEntries(
      Object.entries(good.States).map(([name, state]) => [name, state.Type === "Task" ? { ...state, Retry } : state]),
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
    "Conflict",
  ])("without %s", (error) => {
    const shorter = list.map((retrier) => ({
      ...retrier,
      ErrorEquals: retrier.ErrorEquals.filter((one) => one !== error),
    }));
    expect(retries(withList(shorter))).toEqual([`StartCanary: ${error} is not retried`]);
  });

  test.for([
    { name: "no jitter", change: { JitterStrategy: "NONE" }, says: "Unreachable without full jitter" },
    { name: "slow", change: { IntervalSeconds: 5 }, says: "Unreachable is retried after 5, 10, 20, 30, 30, 30, 30 s" },
    { name: "impatient", change: { MaxAttempts: 20 }, says: "Unreachable is retried for 240.5 s" },
  ])("$name", ({ change, says }) => {
    expect(retries(changed("Unreachable", change))).toEqual([`StartCanary: ${says}`]);
  });

  test("another list in one Task", () => {
    const machine = { ...good, States: { ...good.States, HandOver: { Type: "Task", Retry: list.slice(1) } } };
    expect(retries(machine)).toEqual(["HandOver: its Retry list is not that of StartCanary"]);
  });
});
