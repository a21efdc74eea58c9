import { withArnRegion, withTimeouts } from "../../functions/adapters/aws/client.ts";
import { readChangeCalendar } from "../../functions/adapters/aws/ssm/change-calendar.ts";
import { type Check, failed, passed, unknown } from "./check.ts";
import type { DoctorTarget } from "./target.ts";

/** Asks each change calendar of the configuration for its state: one that does not answer lets no update start. */
export function calendarsCheck({ config: { changeCalendars }, region }: DoctorTarget): Check {
  return {
    name: "change calendars",
    async run() {
      if (changeCalendars.length === 0) return passed("the configuration names none");
      const { SSMClient } = await import("@aws-sdk/client-ssm");
      const states = await Promise.all(
        changeCalendars.map(async (calendar) => {
          const client = new SSMClient({ ...withTimeouts(withArnRegion(calendar, { region })), maxAttempts: 2 });
          return readChangeCalendar(client, calendar).finally(() => client.destroy());
        }),
      );
      const reasons = states.flatMap((state) => (state.kind === "unknown" ? [state.reason] : []));
      const denied = reasons.filter((reason) => reason.includes("AccessDeniedException"));
      if (denied.length > 0) return unknown(`you may not read them: ${denied.join("; ")}`);
      if (reasons.length > 0)
        return failed(`no update starts: ${reasons.join("; ")}`, "docs/how-to/gates.md#change-calendars");
      const closed = states.flatMap((state) => (state.kind === "known" ? state.freezes : []));
      return passed(`${states.length - closed.length} of ${states.length} are open`);
    },
  };
}
