import { expect, test } from "vitest";
import { autoUpdateName } from "../../../../functions/domain/workload/record/auto-update-name.ts";

test.for([
  { kind: "Deployment", name: "web", expected: "deployment-web" },
  { kind: "StatefulSet", name: "web", expected: "statefulset-web" },
  { kind: "CronJob", name: "a.b", expected: "cronjob-a.b" },
  { kind: "Deployment", name: "a".repeat(242), expected: `deployment-${"a".repeat(242)}` },
])("the AutoUpdate of $kind $name has its kind and its name", ({ expected, ...target }) => {
  expect(autoUpdateName(target)).toBe(expected);
});

test.for(["a".repeat(253), `${"a".repeat(230)}.${"-".repeat(22)}`, `${"a".repeat(229)}.-.b${"c".repeat(20)}`])(
  "a name that is too long is cut, and ends in a hash: %s",
  (name) => {
    const short = autoUpdateName({ kind: "Deployment", name });
    expect(short.length).toBeLessThanOrEqual(253);
    expect(short).toMatch(/^deployment-a+(?:\.-\.b)?c*-[0-9a-f]{10}$/);
    expect(short).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
  },
);

test("long names that differ only at their end have different AutoUpdates", () => {
  const names = ["a", "b"].map((end) => autoUpdateName({ kind: "Deployment", name: "a".repeat(252) + end }));
  expect(new Set(names).size).toBe(2);
});
