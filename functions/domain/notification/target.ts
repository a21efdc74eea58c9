import * as v from "valibot";
import { closedObject, nullSetting, recordOf, refine, setting, text, unique } from "../text/schema.ts";
import { type DailyDigest, digestFields } from "./daily-digest.ts";
import { type EventType, eventTypes, notifiedEvents } from "./event-types.ts";
import { eventPattern, maxPatternLength, type NotificationFilter } from "./filter.ts";
import { checkTokens, usesSecret } from "./tokens.ts";

const namePattern = text(
  /^(?!.*\*\*)[a-z0-9*]([a-z0-9.*-]{0,61}[a-z0-9*])?$/,
  "a name, or part of one with *, such as team-*",
);
const names = v.nullish(v.pipe(v.array(namePattern), v.minLength(1), v.maxLength(50), unique<string>()), null);

const on = setting(
  v.picklist(["success", "failure", "all"]),
  `success: ${notifiedEvents.success.join(", ")}. failure: ${notifiedEvents.failure.join(", ")}.`,
  "all",
);

const events = nullSetting(
  v.pipe(v.array(v.picklist(eventTypes)), v.minLength(1), unique<EventType>()),
  "The types of events, instead of those of `on`.",
);

/** The fields of every target that select its events. */
export const filterFields = {
  on,
  events,
  namespaces: v.pipe(names, v.description("Only events of workloads in these namespaces.")),
  workloads: v.pipe(names, v.description("Only events of workloads with these names.")),
};

/** Of a template: each token must exist. */
const template = v.pipe(
  v.string("a string"),
  refine((value) => checkTokens(value)?.reason ?? null),
);

const loopback = String.raw`http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?(?:\/\S*)?`;

/**
 * No token of an event is part of the host: owners of workloads must not choose where a message is sent. Credentials in an address are not
 * sent.
 */
const webhookUrl = v.pipe(
  text(
    new RegExp(String.raw`^(?:https:\/\/[^\s/?#@{}]+(?:[/?#]\S*)?|${loopback}|(?:\{\{secret[^{}]*\}\})+(?:[/?]\S*)?)$`),
    "an https:// address without credentials",
  ),
  refine((value) => checkTokens(value)?.reason ?? null),
);

/** Set by the client; a receiver identifies Pawl by its User-Agent. */
const ownHeaders = new Set(["user-agent", "host", "content-length", "transfer-encoding", "connection"]);

const headerName = v.pipe(
  text(/^[A-Za-z0-9-]+$/, "the name of an HTTP header"),
  refine((name) => (ownHeaders.has(name.toLowerCase()) ? `"${name}" is set by Pawl and cannot be changed` : null)),
);

const name = v.pipe(
  text(/^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$/, "1 to 32 of a-z, 0-9 and inner hyphens"),
  v.description("Unique among the targets. A workload or node pool names it in pawl.dev/notify."),
);

const onlyNamed = setting(
  v.boolean(),
  "true: only events of workloads and node pools that name the target in pawl.dev/notify.",
  false,
);

const dailyDigest = v.nullish(
  v.pipe(
    closedObject(digestFields),
    v.description("One message a day, at this time: what gates hold, since when, and who lifts them."),
  ),
);

const pageUrl = v.nullish(
  v.pipe(
    text(/^https:\/\/[^\s#<>|]+$/, "an https:// address without a fragment"),
    v.description("The address of the dashboard, to whose page of a workload a message links."),
  ),
);

/** Its secret is the address. */
export const slackFields = { kind: v.literal("slack"), name, ...filterFields, onlyNamed, dailyDigest, pageUrl };

export const webhookFields = {
  kind: v.literal("webhook"),
  name,
  url: webhookUrl,
  method: v.optional(v.picklist(["POST", "PUT", "PATCH", "DELETE"]), "POST"),
  headers: v.optional(recordOf(headerName, template), {}),
  body: nullSetting(
    v.pipe(
      v.unknown(),
      refine<unknown>(
        (body) =>
          textsOf(body)
            .map(checkTokens)
            .find((problem) => problem !== null)?.reason ?? null,
      ),
    ),
    "A text, or a JSON object or list; the complete event if absent.",
  ),
  grouped: setting(
    v.boolean(),
    "true: one request for all events of half a minute, whose tokens are those of the worst event.",
    false,
  ),
  ...filterFields,
  onlyNamed,
  dailyDigest,
};

/** A target, without the source of its secret. */
export type NotificationTarget = SlackTarget | WebhookTarget;
export type SlackTarget = Readonly<v.InferOutput<v.ObjectSchema<typeof slackFields, undefined>>>;
export type WebhookTarget = Readonly<v.InferOutput<v.ObjectSchema<typeof webhookFields, undefined>>>;

/** The fields of a filter, for `crossCheck`. */
export const selections = Object.keys(filterFields) as (keyof NotificationFilter)[];

/** For `crossCheck`. `on` has a default, so only one that differs from it contradicts `events`. */
export function filterProblems(filter: NotificationFilter) {
  const { length } = JSON.stringify(eventPattern(filter, null));
  const tooLong = `the filter needs a pattern of ${length} characters, at most ${maxPatternLength} allowed; use fewer names, or *`;
  return [
    ...(filter.on === "all" || filter.events === null
      ? []
      : [{ path: ["events"], reason: "excludes on; use one of them" }]),
    ...(length > maxPatternLength ? [{ path: [], reason: tooLong }] : []),
  ];
}

/** For `crossCheck`: `source` is the field of a webhook that says where its secret is. */
export function secretProblems<Source extends string>(
  target: Pick<WebhookTarget, "url" | "headers" | "body"> & { readonly [Key in Source]: string | null },
  source: Source,
) {
  const isUsed = [target.url, ...Object.values(target.headers), ...textsOf(target.body)].some(usesSecret);
  if (isUsed === (target[source] !== null)) return [];
  const reason = isUsed ? "is missing, and {{secret}} is used" : "is not used; write {{secret}} where it belongs";
  return [{ path: [source], reason }];
}

/** Returns every text of a body, without the keys of objects. */
function textsOf(body: unknown): readonly string[] {
  if (typeof body === "string") return [body];
  return typeof body === "object" && body !== null ? Object.values(body).flatMap(textsOf) : [];
}

interface DigestTarget extends Pick<DailyDigest, "name" | "namespaces" | "workloads" | "onlyNamed"> {
  readonly dailyDigest?: Pick<DailyDigest, "at" | "timeZone"> | null | undefined;
}

/** Returns the daily digests of targets, as polls need them. */
export function digestsOf(targets: readonly DigestTarget[]): readonly DailyDigest[] {
  return targets.flatMap(({ name: target, namespaces, workloads, onlyNamed: isNamed, dailyDigest: digest }) =>
    !digest ? [] : [{ name: target, ...digest, namespaces, workloads, onlyNamed: isNamed }],
  );
}
