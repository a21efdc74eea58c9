import { describe, expect, test } from "vitest";
import { cordonStep, restoreStep } from "../../../functions/domain/node-pool/cordon.ts";
import type { NodeStep } from "../../../functions/domain/node-pool/step.ts";
import { cordoned, kubeNode, slot } from "./pools.ts";

const byHand = { unschedulable: true };
const foreign = { ...slot, nodeUid: null, takenAt: null };
const remember = (wasCordoned: boolean): NodeStep => ({ kind: "remember-cordon", wasCordoned });

describe("before the drain", () => {
  test.for([
    { when: "it is not cordoned", step: { kind: "cordon" } },
    { when: "Pawl has cordoned it", node: cordoned, step: null },
    { when: "a person had cordoned it", node: byHand, of: { ...slot, wasCordoned: true }, step: null },
    { when: "a person cordoned it since", node: byHand, step: remember(true) },
    { when: "a person uncordoned it since", of: { ...slot, wasCordoned: true }, step: remember(false) },
    { when: "nobody remembers, and it is not cordoned", of: { ...slot, wasCordoned: null }, step: remember(false) },
    {
      when: "nobody remembers, and it is cordoned",
      node: byHand,
      of: { ...slot, wasCordoned: null },
      step: remember(true),
    },
    { when: "bootc-operator has cordoned it", node: byHand, of: foreign, step: null },
  ])("where $when", ({ node = {}, of = slot, step }) => {
    expect(cordonStep({ ...kubeNode, ...node }, of)).toEqual(step);
  });
});

describe("after the reboot", () => {
  test.for([
    { when: "Pawl has cordoned it", node: cordoned, step: "uncordon" },
    { when: "Pawl has cordoned it and a person uncordoned it", node: { cordonedFor: "workers" }, step: "uncordon" },
    { when: "Pawl has cordoned it and its BootcNode was made anew", node: cordoned, of: null, step: "uncordon" },
    {
      when: "a person wants it to stay cordoned",
      node: cordoned,
      of: { ...slot, wasCordoned: true },
      step: "leave-cordoned",
    },
    {
      when: "Pawl has cordoned it and nobody remembers",
      node: cordoned,
      of: { ...slot, wasCordoned: null },
      step: "leave-cordoned",
    },
    { when: "a person had cordoned it", node: byHand, of: { ...slot, wasCordoned: true }, step: null },
    { when: "a person cordoned it after it was uncordoned", node: byHand, step: null },
    { when: "it is cordoned without a slot", node: byHand, of: null, step: null },
    { when: "bootc-operator has cordoned it", node: byHand, of: foreign, step: "uncordon" },
    { when: "bootc-operator found it cordoned", node: byHand, of: { ...foreign, wasCordoned: true }, step: null },
    { when: "bootc-operator's cordon is gone", of: foreign, step: null },
  ])("where $when: $step", ({ node = {}, of = slot, step }) => {
    expect(restoreStep({ ...kubeNode, ...node }, of)?.kind ?? null).toBe(step);
  });
});
