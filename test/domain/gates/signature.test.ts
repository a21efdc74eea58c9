import { describe, expect, test } from "vitest";
import { isHeldByGate } from "../../../functions/domain/gates/gates.ts";
import { holdBySignature } from "../../../functions/domain/gates/signature.ts";
import { updateTarget } from "../../support/workloads.ts";

describe.for([
  { reason: "unverified", gate: "Unverified" },
  { reason: "cannot-pin", gate: "CannotPin" },
] as const)("the hold $reason", ({ reason, gate }) => {
  test("names the version, and is by a gate", () => {
    const held = holdBySignature(
      { kind: "update", target: updateTarget, available: "1.2.0" },
      reason,
      "no valid signature",
    );
    expect(held).toMatchObject({ kind: "hold", reason, target: updateTarget, available: "1.2.0" });
    expect(held.detail).toBe("1.1.0: no valid signature");
    expect(held.gates).toMatchObject([{ name: "signature", reason: gate, message: held.detail }]);
    expect(isHeldByGate(held)).toBe(true);
  });

  test("names no version that is unknown", () => {
    expect(holdBySignature({ kind: "update", target: updateTarget }, reason, "why")).not.toHaveProperty("available");
  });
});
