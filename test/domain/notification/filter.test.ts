import { expect, test } from "vitest";
import { eventTypes, notifiedEvents, outcomeOf } from "../../../functions/domain/notification/event-types.ts";
import { digestPattern, eventPattern, type NotificationFilter } from "../../../functions/domain/notification/filter.ts";

const all: NotificationFilter = { on: "all", events: null, namespaces: null, workloads: null };
const { success, failure } = notifiedEvents;

test.for([
  { when: "no filter", filter: {}, types: [...success, ...failure], detail: undefined },
  { when: "successes", filter: { on: "success" }, types: success, detail: undefined },
  { when: "failures", filter: { on: "failure" }, types: failure, detail: undefined },
  { when: "types", filter: { events: ["Update Started"] }, types: ["Update Started"], detail: undefined },
  {
    when: "namespaces",
    filter: { namespaces: ["shop", "team-*"] },
    types: [...success, ...failure],
    detail: { workload: { namespace: ["shop", { wildcard: "team-*" }] } },
  },
  {
    when: "names in a namespace",
    filter: { on: "success", namespaces: ["shop"], workloads: ["*-api"] },
    types: success,
    detail: { workload: { namespace: ["shop"], name: [{ wildcard: "*-api" }] } },
  },
  {
    when: "only named, of one workload",
    filter: { on: "success", workloads: ["web"] },
    subscribers: "team-a",
    types: success,
    detail: { workload: { name: ["web"] }, notify: ["team-a"] },
  },
] as const)("the pattern of $when", ({ filter, types, detail, ...more }) => {
  const subscribers = "subscribers" in more ? more.subscribers : null;
  expect(eventPattern({ ...all, ...filter }, subscribers)).toEqual({
    source: ["pawl"],
    "detail-type": types,
    ...(detail === undefined ? {} : { detail }),
  });
});

test("each type is a success, a failure, or information", () => {
  expect(eventTypes.filter((type) => outcomeOf(type) === "success")).toEqual(success);
  expect(eventTypes.filter((type) => outcomeOf(type) === "failure").sort()).toEqual([...failure].sort());
  expect(outcomeOf("Update Started")).toBe("information");
  expect(outcomeOf("A Later One")).toBe("information");
});

test("a daily digest is for one target", () => {
  expect(digestPattern("team-a")).toEqual({
    source: ["pawl"],
    "detail-type": ["Daily Digest"],
    detail: { target: ["team-a"] },
  });
});
