import type { LambdaClient } from "@aws-sdk/client-lambda";
import { type Check, failed, passed, unknown } from "./check.ts";

/** The difference of this machine's clock to that of AWS, from the last response; null before the first. */
export interface ClockDifference {
  readonly seconds: () => number | null;
}

/** AWS rejects signatures that are five minutes off; claims of `pawl local` expire by this clock. */
const maxSeconds = 60;

/** Observes the header `Date` of every response of a client. */
export function observeClock(client: LambdaClient, now: () => Date): ClockDifference {
  let seconds: number | null = null;
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const { headers } = result.response as { readonly headers?: Readonly<Record<string, string>> };
      const time = Date.parse(headers?.["date"] ?? "");
      if (!Number.isNaN(time)) seconds = (now().getTime() - time) / 1000;
      return result;
    },
    { step: "deserialize", name: "observeClock", priority: "low" },
  );
  return { seconds: () => seconds };
}

export function clockCheck({ seconds }: ClockDifference): Check {
  return {
    name: "clock",
    async run() {
      const found = seconds();
      if (found === null) return unknown("no response of AWS to compare the clock of this machine with");
      const difference = `${Math.abs(Math.round(found))} s ${found < 0 ? "behind" : "ahead of"} AWS`;
      if (Math.abs(found) <= maxSeconds) return passed(difference);
      return failed(difference, "synchronize the clock of this machine, for example with chrony");
    },
  };
}
