import { expect, test } from "vitest";
import {
  cordonAnnotation,
  managedLabel,
  poolFinalizer,
  slotAnnotations,
} from "../../../functions/domain/node-pool/names.ts";

test("what bootc-operator writes too is spelled as it spells it", () => {
  const { inRebootSlot, wasCordoned, ...own } = slotAnnotations;
  expect([managedLabel, poolFinalizer]).toEqual(["bootc.dev/managed", "bootc.dev/pool-cleanup"]);
  expect([inRebootSlot, wasCordoned]).toEqual(["bootc.dev/in-reboot-slot", "bootc.dev/was-cordoned"]);
  expect([cordonAnnotation, ...Object.values(own)].filter((name) => !name.startsWith("pawl.dev/"))).toEqual([]);
});
