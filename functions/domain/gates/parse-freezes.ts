import * as v from "valibot";
import { instantsAt, offsetAt, parseTimeZone, type TimeZone } from "../schedule/time-zone.ts";
import { fromEpoch, parseRfc3339 } from "../text/rfc3339.ts";
import { closedObject, refine, text, trimmedText } from "../text/schema.ts";
import { type Validation, validate } from "../text/schema-problems.ts";
import type { Freeze } from "./freeze.ts";

/** For each there is a sentence in the status of every workload that it holds. */
const maxFreezes = 50;

const expectedTime = "a time such as 2026-12-20T18:00 in its timeZone, 2026-12-20, or 2026-12-20T18:00:00Z";
const time = text(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2}))?)?$/, expectedTime);
const namespace = text(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, "the name of a namespace");

const writtenFreeze = v.pipe(
  closedObject({
    from: v.nullish(time, null),
    to: v.nullish(time, null),
    timeZone: v.nullish(trimmedText("an IANA time zone"), "UTC"),
    reason: v.pipe(trimmedText("a reason"), v.maxLength(256)),
    by: v.nullish(v.pipe(trimmedText("a name"), v.maxLength(128)), null),
    rollBack: v.nullish(v.boolean(), false),
    namespaces: v.nullish(v.pipe(v.array(namespace), v.minLength(1)), null),
  }),
  refine((written) => problemOf(written)),
);

/** Freezes as a configuration has them: checked, but not parsed. */
export const writtenFreezes = v.pipe(v.array(writtenFreeze), v.maxLength(maxFreezes));

const schema = v.pipe(
  writtenFreezes,
  v.transform((all) => all.map((written) => toFreeze(written))),
);

type WrittenFreeze = Omit<Freeze, "from" | "to"> & {
  readonly from: string | null;
  readonly to: string | null;
  readonly timeZone: string;
};

/** Parses the freezes of a configuration or a ConfigMap, as YAML or JSON has them. */
export function parseFreezes(written: unknown): Validation<readonly Freeze[]> {
  return validate(schema, written, "freeze");
}

function problemOf({ from, to, timeZone }: WrittenFreeze): string | null {
  const zone = parseTimeZone(timeZone);
  if (zone === null) return `"${timeZone}" is not a time zone: use an IANA name such as Europe/Berlin`;
  const [start, end] = [from, to].map((one) => (one === null ? null : instantOf(one, zone)));
  if (Number.isNaN(start?.getTime()) || Number.isNaN(end?.getTime())) return "has a time that does not exist";
  return start && end && end <= start ? "ends before it begins: use a later time in to" : null;
}

function toFreeze({ from, to, timeZone, ...others }: WrittenFreeze): Freeze {
  const zone = parseTimeZone(timeZone) as TimeZone;
  const toInstant = (one: string | null) => (one === null ? null : instantOf(one, zone));
  return { ...others, from: toInstant(from), to: toInstant(to) };
}

/** A wall-clock time that is skipped in spring is as late as its clocks were before; of one that repeats in autumn the first counts. */
function instantOf(written: string, zone: TimeZone): Date {
  if (written.length > "2026-12-20T18:00".length) return parseRfc3339(written) ?? fromEpoch(NaN);
  const wallClock = parseRfc3339(`${written.length > 10 ? written : `${written}T00:00`}:00Z`)?.getTime();
  if (wallClock === undefined) return fromEpoch(NaN);
  return fromEpoch(instantsAt(zone, wallClock)[0] ?? wallClock - offsetAt(zone, wallClock - 86_400_000));
}
