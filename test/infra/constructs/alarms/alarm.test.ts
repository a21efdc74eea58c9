import { expect, test } from "vitest";
import { synthesise } from "../../synthesized-stack.ts";

const eks = { clusterName: "prod", region: "eu-central-1" };
const { at, ofType } = synthesise({ clusters: [{ name: "prod", eks, nodePools: {} }] });
const alarms = ofType("AWS::CloudWatch::Alarm").map(([path, { Properties }]) => ({
  path,
  description: String(Properties["AlarmDescription"]),
}));

test.for(alarms)("the description of $path says what to do within the limit of CloudWatch", ({ description }) => {
  expect(description.length).toBeLessThanOrEqual(1024);
  // What it means, what to do, and the link.
  expect(description).toMatch(/^[^{}]+\. [^{}]{40,}\. \S+#[a-z-]+$/);
});

test("a description has the names of its deployment", () => {
  expect(at("prod/Alarms/poll-errors").Properties["AlarmDescription"]).toContain(
    "`aws logs tail /aws/lambda/pawl-prod-poll --since 1h`",
  );
});
