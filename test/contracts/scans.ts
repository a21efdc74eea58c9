import { expect, test } from "vitest";
import type { ScanResult } from "../../functions/domain/gates/scan.ts";
import type { ImageReference } from "../../functions/domain/image/reference.ts";
import type { Registry } from "../../functions/ports/registry.ts";

/** What a registry with scans is prepared with. */
export type ScanSituation = ScanResult | "throttles";

type ScanOf = NonNullable<Registry["scanOf"]>;

/** The contract of `scanOf`. `use` passes one whose registry is in a situation, and an image of it. */
export function scanContract(
  use: (situation: ScanSituation, ask: (scanOf: ScanOf, image: ImageReference) => Promise<void>) => Promise<void>,
): void {
  test.for<{ situation: ScanResult }>([
    { situation: { kind: "complete", findings: [] } },
    { situation: { kind: "complete", findings: [{ name: "CVE-1 openssl", severity: "HIGH" }] } },
    { situation: { kind: "pending", reason: "its status is PENDING" } },
    { situation: { kind: "unknown", reason: "its status is FAILED" } },
  ])("answers $situation", ({ situation }) =>
    use(situation, async (scanOf, image) => {
      expect(await scanOf(image)).toEqual(situation);
    }),
  );

  test("throws Throttled", () =>
    use("throttles", async (scanOf, image) => {
      await expect(scanOf(image)).rejects.toMatchObject({ name: "Throttled" });
    }));
}
