import { expect, test } from "vitest";
import { verifyImage } from "../../../functions/handlers/verify-image.ts";
import { Unreachable } from "../../../functions/ports/errors.ts";
import { workload } from "../../support/workloads.ts";
import { around, step } from "../steps.ts";

const verifier = {
  scopes: [],
  verify: async () => {
    throw new Unreachable("ghcr.io: connect ECONNREFUSED");
  },
};
const ports = { ...around(workload()), verifier };

test.for([
  { what: "that is adopted", input: { ...step, adopting: true } },
  { what: "whose canary has passed", input: { ...step, step: "pass" } },
])("a registry that does not answer delays no update $what", async ({ input }) => {
  const reason = "cannot tell who signed the image: ghcr.io: connect ECONNREFUSED";
  expect(await verifyImage(ports, input)).toEqual({ kind: "unknown", digest: null, reason });
});

test.for([{ input: step }, { input: { ...step, step: "begun" } }])(
  "an update that has not begun is retried: $input.step",
  async ({ input }) => {
    await expect(verifyImage(ports, input)).rejects.toMatchObject({ name: "Unreachable" });
  },
);
