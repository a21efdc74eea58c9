import { expect, onTestFinished, test } from "vitest";
import { withDeploymentFreezes } from "../../functions/runtime/deployment-freezes.ts";
import { readSettings } from "../../functions/runtime/read-settings.ts";
import { fakeAws, refusalOf } from "../support/aws/aws-services.ts";
import { fakeCluster } from "../support/fake-cluster.ts";

async function open(environment: Readonly<Record<string, string>>, calendars: Readonly<Record<string, string>> = {}) {
  const aws = await fakeAws(({ body }) => {
    const [name] = (JSON.parse(body) as { CalendarNames: [string] }).CalendarNames;
    const state = calendars[name];
    return state === undefined ? refusalOf("InvalidDocument") : { body: { State: state } };
  });
  onTestFinished(() => aws[Symbol.asyncDispose]());
  const cluster = fakeCluster([], () => undefined);
  const settings = readSettings(environment);
  return { calls: aws.calls, cluster, frozen: withDeploymentFreezes(cluster, { settings, aws: aws.options }) };
}

test("without freezes of the deployment nothing is added", async () => {
  const { frozen, cluster } = await open({});
  expect(frozen).toBe(cluster);
});

test("freezes and calendars of the deployment are added to those of the cluster", async () => {
  const environment = { PAWL_FREEZE: '[{"reason":"Christmas","to":"2026-12-27"}]', PAWL_CHANGE_CALENDARS: "One,Two" };
  const { frozen, calls } = await open(environment, { One: "CLOSED", Two: "OPEN" });
  const reasons = [
    { reason: "Christmas", to: new Date("2026-12-27T00:00:00Z") },
    { reason: "the change calendar One is closed" },
  ];
  expect(await frozen.readFreeze()).toMatchObject({ kind: "text", ofDeployment: { kind: "known", freezes: reasons } });
  expect(calls).toHaveLength(2);
});

test("one calendar that does not exist closes the gate", async () => {
  const { frozen } = await open({ PAWL_CHANGE_CALENDARS: "One,Two" }, { One: "OPEN" });
  const reason = expect.stringContaining("change calendar Two: InvalidDocument");
  expect(await frozen.readFreeze()).toMatchObject({ ofDeployment: { kind: "unknown", reason } });
});

test.for([
  { value: "[{", problem: "PAWL_FREEZE" },
  { value: '[{"reason":"x","timeZone":"Europe/Bonn"}]', problem: '"Europe/Bonn" is not a time zone' },
])("an invalid freeze is a problem: $problem", ({ value, problem }) => {
  expect(() => readSettings({ PAWL_FREEZE: value })).toThrow(problem);
});

test("defaults of policies are read", () => {
  const written = [{ namespaces: ["shop"], enforced: true, policy: { pin: "digest" } }];
  const { defaults } = readSettings({ PAWL_DEFAULTS: JSON.stringify(written) });
  const pin = { value: "digest", length: 6, place: "defaults[0].policy.pin" };
  expect(defaults).toEqual([{ namespaces: ["shop"], enforced: true, policy: { pin } }]);
  expect(() => readSettings({ PAWL_DEFAULTS: '[{"policy":{"pin":"x"}}]' })).toThrow("PAWL_DEFAULTS");
});
