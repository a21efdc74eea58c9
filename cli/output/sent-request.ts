import { describeRequest } from "../../functions/domain/workload/request/person-request.ts";
import { toSingleLine } from "../../functions/domain/text/printable.ts";
import type { Outcome, Sent } from "../workloads/await-outcome.ts";
import { exitCodes } from "../exit-codes.ts";
import { printJson, printStderr, printStdout } from "./print.ts";

/** Prints what has become of requests, and sets the exit code. */
export function printSent(
  sent: readonly Sent[],
  { json }: { readonly json?: true },
  documentOf: (documents: readonly object[]) => unknown,
): void {
  const documents = sent.map(({ workload, request, outcome }) => {
    return { workload, request: describeRequest(request), token: request.token, ...outcome };
  });
  if (json) printJson(documentOf(documents));
  for (const { workload, outcome } of sent) printOutcome(workload, outcome, json === true);
}

function printOutcome(workload: string, { status, result }: Outcome, isJson: boolean): void {
  const line = `${workload}: ${toSingleLine(result)}`;
  const isDone = status === "handled" || status === "requested" || status === "healthy";
  if (isDone && !isJson) printStdout(`${line}\n`);
  if (isDone) return;
  printStderr(line);
  process.exitCode = status === "no-verdict" ? exitCodes.timeout : exitCodes.noMatch;
}
