import { GetCalendarStateCommand, type SSMClient } from "@aws-sdk/client-ssm";
import type { Freezes } from "../../../domain/gates/freeze.ts";
import { parseRfc3339 } from "../../../domain/text/rfc3339.ts";
import { truncate } from "../../../domain/text/summarize-list.ts";

/** What a person has to do about an error of SSM, whose own message is often empty. */
const hints: Readonly<Record<string, string>> = {
  InvalidDocument:
    "there is no such calendar, or it is not shared with this account; correct changeCalendars in pawl.json",
  InvalidDocumentType: "the document is no calendar; correct changeCalendars in pawl.json",
  UnsupportedCalendarException: "SSM does not support this calendar; export it again, and import it",
  AccessDeniedException:
    "the role of the function may not read it; deploy Pawl again, and check policies of the organization",
};

/**
 * Reads a calendar of AWS Systems Manager, by name or ARN: a freeze while it is closed. Never throws: without an answer it is
 * unknown. Requires `ssm:GetCalendarState`.
 */
export async function readChangeCalendar(
  client: Pick<SSMClient, "send">,
  calendar: string,
  at?: Date,
): Promise<Freezes> {
  const name = calendar.split("/").at(-1);
  try {
    const { State, NextTransitionTime } = await client.send(
      new GetCalendarStateCommand({
        CalendarNames: [calendar],
        ...(at === undefined ? {} : { AtTime: at.toISOString() }),
      }),
    );
    if (State === "OPEN") return { kind: "known", freezes: [] };
    if (State !== "CLOSED") return unknown(calendar, `its state is ${State ?? "absent"}`);
    const to = NextTransitionTime === undefined ? null : parseRfc3339(NextTransitionTime);
    const reason = `the change calendar ${name} is closed`;
    const closed = { from: null, to, reason, by: null, namespaces: null, rollBack: false };
    return { kind: "known", freezes: [{ ...closed, liftedBy: `who may edit the change calendar ${name}` }] };
  } catch (error) {
    const { name: code, message } = error as Error;
    return unknown(calendar, `${code}: ${truncate(hints[code] ?? message)}`);
  }
}

function unknown(calendar: string, reason: string): Freezes {
  return { kind: "unknown", reason: `change calendar ${calendar}: ${reason}` };
}
