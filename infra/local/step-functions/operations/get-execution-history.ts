import type { GetExecutionHistoryOutput } from "@aws-sdk/client-sfn";
import { optionalBoolean, requiredString, type Fields } from "../../wire/fields.ts";
import { pageOf } from "../../wire/page.ts";
import { executionOf, type StepFunctions } from "../step-functions.ts";

export function getExecutionHistory({ ledger }: StepFunctions, fields: Fields): GetExecutionHistoryOutput {
  const { history } = executionOf(ledger, requiredString(fields, "executionArn"));
  const newestFirst = optionalBoolean(fields, "reverseOrder") ?? false;
  const ordered = newestFirst ? history.toReversed() : history;
  const { items, ...rest } = pageOf(ordered, ({ id = 0 }) => id, newestFirst ? "descending" : "ascending", fields);
  return { events: [...items], ...rest };
}
