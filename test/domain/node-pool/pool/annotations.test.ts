import { expect, test } from "vitest";
import {
  cordonAnnotation,
  managedLabel,
  poolFinalizer,
  bootcNodeAnnotations,
} from "../../../../functions/domain/node-pool/pool/annotations.ts";

test("names that bootc-operator also writes are spelled as there", () => {
  const { inRebootSlot, wasCordoned, ...own } = bootcNodeAnnotations;
  expect([managedLabel, poolFinalizer]).toEqual(["bootc.dev/managed", "bootc.dev/pool-cleanup"]);
  expect([inRebootSlot, wasCordoned]).toEqual(["bootc.dev/in-reboot-slot", "bootc.dev/was-cordoned"]);
  expect([cordonAnnotation, ...Object.values(own)].filter((name) => !name.startsWith("pawl.dev/"))).toEqual([]);
});
