import { describe, expect, test } from "vitest";
import { planCordonStep, planRestoreStep } from "../../../../functions/domain/node-pool/node/cordon.ts";
import type { NodeStep } from "../../../../functions/domain/node-pool/step/step.ts";
import { cordoned, kubeNode, slot } from "../pools.ts";

const cordonedManually = { unschedulable: true };
const otherOperatorSlot = { ...slot, nodeUid: null, acquiredAt: null };
const recordCordon = (wasCordoned: boolean): NodeStep => ({ kind: "record-cordon", wasCordoned });

describe("before the drain", () => {
  test.for([
    { when: "it is not cordoned", step: { kind: "cordon" } },
    { when: "Pawl has cordoned it", node: cordoned, step: null },
    {
      when: "it was cordoned manually before",
      node: cordonedManually,
      slot: { ...slot, wasCordoned: true },
      step: null,
    },
    { when: "it was cordoned manually since", node: cordonedManually, step: recordCordon(true) },
    { when: "it was uncordoned manually since", slot: { ...slot, wasCordoned: true }, step: recordCordon(false) },
    {
      when: "the previous cordon is unknown, and it is not cordoned",
      slot: { ...slot, wasCordoned: null },
      step: recordCordon(false),
    },
    {
      when: "the previous cordon is unknown, and it is cordoned",
      node: cordonedManually,
      slot: { ...slot, wasCordoned: null },
      step: recordCordon(true),
    },
    { when: "bootc-operator has cordoned it", node: cordonedManually, slot: otherOperatorSlot, step: null },
  ])("if $when", ({ node = {}, slot: held = slot, step }) => {
    expect(planCordonStep({ ...kubeNode, ...node }, held)).toEqual(step);
  });
});

describe("after the reboot", () => {
  test.for([
    { when: "Pawl has cordoned it", node: cordoned, step: "uncordon" },
    {
      when: "Pawl has cordoned it and it was uncordoned manually",
      node: { cordonedByPool: "workers" },
      step: "uncordon",
    },
    { when: "Pawl has cordoned it and its BootcNode was recreated", node: cordoned, slot: null, step: "uncordon" },
    {
      when: "it was cordoned manually before, and Pawl has cordoned it",
      node: cordoned,
      slot: { ...slot, wasCordoned: true },
      step: "leave-cordoned",
    },
    {
      when: "Pawl has cordoned it and the previous cordon is unknown",
      node: cordoned,
      slot: { ...slot, wasCordoned: null },
      step: "leave-cordoned",
    },
    {
      when: "it was cordoned manually before",
      node: cordonedManually,
      slot: { ...slot, wasCordoned: true },
      step: null,
    },
    { when: "it was cordoned manually after it was uncordoned", node: cordonedManually, step: null },
    { when: "it is cordoned without a slot", node: cordonedManually, slot: null, step: null },
    { when: "bootc-operator has cordoned it", node: cordonedManually, slot: otherOperatorSlot, step: "uncordon" },
    {
      when: "bootc-operator found it cordoned",
      node: cordonedManually,
      slot: { ...otherOperatorSlot, wasCordoned: true },
      step: null,
    },
    { when: "bootc-operator's cordon was removed", slot: otherOperatorSlot, step: null },
  ])("if $when: $step", ({ node = {}, slot: held = slot, step }) => {
    expect(planRestoreStep({ ...kubeNode, ...node }, held)?.kind ?? null).toBe(step);
  });
});
