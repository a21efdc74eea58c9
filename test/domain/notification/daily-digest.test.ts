import { describe, expect, test } from "vitest";
import {
  collectHeld,
  type DailyDigest,
  describeDigest,
  dueDate,
  maxHeldWorkloads,
  parseDigests,
} from "../../../functions/domain/notification/daily-digest.ts";
import { digestsOf } from "../../../functions/domain/notification/target.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { after, noon, policy, workload } from "../../support/workloads.ts";

const berlin: DailyDigest = {
  name: "team",
  at: "08:00",
  timeZone: "Europe/Berlin",
  namespaces: null,
  workloads: null,
  onlyNamed: false,
};

function held(name: string, parts: Partial<Workload> = {}): Workload {
  const base = workload();
  const gate = {
    name: "approval",
    reason: "ApprovalRequired",
    message: "1.1.0 needs 1 approval",
    liftedBy: "pawl approve",
  };
  return { ...base, ref: { ...base.ref, name }, gates: [{ ...gate, since: after(-60) }], ...parts };
}

test.for<[string, string, string, string | null]>([
  ["08:00", "Europe/Berlin", "2026-11-20T06:59:59Z", null],
  ["08:00", "Europe/Berlin", "2026-11-20T07:00:00Z", "2026-11-20"],
  ["08:00", "Europe/Berlin", "2026-11-20T22:59:59Z", "2026-11-20"],
  ["08:00", "Europe/Berlin", "2026-11-20T23:30:00Z", null],
  ["08:00", "Pacific/Auckland", "2026-11-20T19:00:00Z", "2026-11-21"],
  ["00:00", "UTC", "2026-11-20T00:00:00Z", "2026-11-20"],
  ["23:59", "UTC", "2026-11-20T23:58:59Z", null],
  // The clocks skip 02:30 in spring: it is due after that; and it is due once in autumn, for that day.
  ["02:30", "Europe/Berlin", "2026-03-29T00:59:00Z", null],
  ["02:30", "Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-29"],
  ["02:30", "Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-25"],
  ["03:30", "Europe/Berlin", "2026-10-25T01:30:00Z", null],
])("at %s in %s, %s: %s", ([at, timeZone, now, expected]) => {
  expect(dueDate({ at, timeZone }, new Date(now))).toBe(expected);
});

describe("what is held", () => {
  const collect = (digests: readonly DailyDigest[], workloads: readonly Workload[], sent = {}) => {
    const collector = collectHeld(digests, sent, noon);
    workloads.forEach((one) => collector.add(one));
    return collector.reports();
  };

  test("says since when and who lifts it", () => {
    expect(collect([berlin], [held("web"), { ...workload(), gates: [] }, workload()])).toEqual([
      {
        target: "team",
        date: "2026-11-20",
        more: 0,
        held: [
          {
            kind: "Deployment",
            namespace: "shop",
            name: "web",
            version: null,
            since: "2026-11-20T11:00:00Z",
            gates: ['approval: 1.1.0 needs 1 approval; run "pawl approve"'],
          },
        ],
      },
    ]);
  });

  test("adds to what earlier parts of the list have collected, if each has", () => {
    const many = Array.from({ length: 30 }, (_, index) => held(`w-${index}`));
    const before = collect([berlin], many);
    const collector = collectHeld([berlin, { ...berlin, name: "other" }], {}, noon, before);
    many.forEach((one) => collector.add(one));
    expect(collector.reports().map((report) => report.held.length + report.more)).toEqual([60]);
  });

  test("is not collected if the digest was sent, or is not due", () => {
    expect(collect([berlin], [held("web")], { team: "2026-11-20" })).toEqual([]);
    expect(collect([{ ...berlin, at: "23:00" }], [held("web")])).toEqual([]);
  });

  test.for<[string, Partial<DailyDigest>, number]>([
    ["of other namespaces is left out", { namespaces: ["pay*"] }, 0],
    ["of its namespaces is in it", { namespaces: ["sh*"] }, 1],
    ["of other names is left out", { workloads: ["api"] }, 0],
    ["that names nobody is left out, if only those that name it count", { onlyNamed: true }, 0],
  ])("%s", ([, parts, count]) => {
    expect(collect([{ ...berlin, ...parts }], [held("web")])[0]?.held).toHaveLength(count);
  });

  test("that names the target is in it", () => {
    const named = held("web", { policy: { ...policy, notify: ["team"] } });
    expect(collect([{ ...berlin, onlyNamed: true }], [named])[0]?.held).toHaveLength(1);
  });

  test("is bounded: the longest are named, and the others counted", () => {
    const many = Array.from({ length: 1000 }, (_, index) =>
      held(`w-${index}`, {
        gates: Array.from({ length: 9 }, (_unused, gate) => ({
          name: `g${gate}`,
          reason: "R",
          message: "m".repeat(5000),
          ...(index % 2 === 0 ? { since: after(-index) } : {}),
        })),
      }),
    );
    const [report] = collect([berlin], many);
    expect(report).toMatchObject({ more: 1000 - maxHeldWorkloads });
    expect(report?.held.map(({ name }) => name)).toEqual(
      Array.from({ length: maxHeldWorkloads }, (_, index) => `w-${998 - 2 * index}`),
    );
    expect(JSON.stringify(report).length).toBeLessThan(30_000);
    expect(
      collect([berlin], [held("web", { gates: [{ name: "g", reason: "R", message: "m" }] })])[0]?.held,
    ).toMatchObject([{ since: null }]);
  });

  test("is a line each", () => {
    const one = {
      kind: "Deployment",
      namespace: "shop",
      name: "web",
      version: "1.1.0",
      since: "2026-11-20T11:00:00Z",
      gates: ["a", "b"],
    };
    expect(describeDigest({ held: [one, { ...one, version: null, since: null }], more: 2 })).toBe(
      "Deployment shop/web to 1.1.0 is held since 2026-11-20T11:00:00Z: a; b\nDeployment shop/web is held: a; b\nand 2 more",
    );
    expect(describeDigest({ held: [], more: 0 })).toBe("");
  });
});

describe("settings", () => {
  test("are those of the targets that have one", () => {
    const target = { name: "team", namespaces: null, workloads: null, onlyNamed: false };
    const digests = digestsOf([
      { ...target, dailyDigest: { at: "08:00", timeZone: "UTC" } },
      target,
      { ...target, dailyDigest: null },
    ]);
    expect(digests).toEqual([{ ...target, at: "08:00", timeZone: "UTC" }]);
    expect(parseDigests(digests)).toEqual({ kind: "valid", value: digests });
  });

  test.for([
    [{ at: "8:00" }, "is not a time such as 08:00"],
    [{ at: "24:00" }, "is not a time such as 08:00"],
    [{ timeZone: "Europe/Nowhere" }, '"Europe/Nowhere" is not an IANA time zone'],
  ] as const)("%j is a problem", ([parts, reason]) => {
    expect(parseDigests([{ ...berlin, ...parts }])).toMatchObject({
      kind: "invalid",
      problems: [{ reason: expect.stringContaining(reason) }],
    });
  });
});
