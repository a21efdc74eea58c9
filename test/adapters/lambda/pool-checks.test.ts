import { LambdaClient } from "@aws-sdk/client-lambda";
import { expect, test } from "vitest";
import { Unreachable } from "../../../functions/adapters/errors.ts";
import { lambdaPoolChecks } from "../../../functions/adapters/lambda-pool-checks.ts";
import { recordPool } from "../../../functions/handlers/record-pool.ts";
import type { Resolution } from "../../../functions/domain/node-pool/target.ts";
import type { RecordPoolInput } from "../../../functions/ports/pool-checks.ts";
import { poolChecksContract } from "../../contracts/pool-checks.ts";
import { digestB, pool } from "../../domain/node-pool/pools.ts";
import { newPool, poolWorld } from "../../handlers/pool-world.ts";
import { type FakeAws, fakeAws } from "../../support/aws-services.ts";
import { killedAt } from "../../support/fake-ports.ts";
import { lambdaOf, recordingByLambda, thrown } from "./recording.ts";

const functionName = "arn:aws:lambda:eu-west-1:123456789012:function:pawl-record-pool:live";
const tag = "quay.io/example/myos:stable";
const resolution: Resolution = { kind: "resolved", ref: tag, digest: digestB };

function checksBy({ options }: FakeAws) {
  return lambdaPoolChecks({ client: new LambdaClient(options), functionName, cluster: "production" });
}

poolChecksContract(async (options) => {
  const { ports } = poolWorld(options);
  const aws = await lambdaOf((input) => recordPool(ports, input as RecordPoolInput));
  return { checks: checksBy(aws), ports };
});

recordingByLambda(functionName, (options) => {
  const checks = lambdaPoolChecks({ ...options, cluster: "production" });
  return () => checks.record(pool(), resolution);
});

test.for([{ found: resolution }, { found: null }])(
  "the function is given all that it needs, and nothing else",
  async ({ found }) => {
    await using aws = await fakeAws(() => ({ body: { kind: "written", reason: "" } }));
    await checksBy(aws).record(pool(), found);
    expect(aws.calls.map(({ operation, body }) => [operation, JSON.parse(body)])).toEqual([
      [
        `POST /2015-03-31/functions/${encodeURIComponent(functionName)}/invocations`,
        { cluster: "production", pool: { name: "workers", uid: "pool-1" }, resolution: found },
      ],
    ]);
  },
);

test("cut off before it wrote, it writes and tells when the poll comes again", async () => {
  const of = newPool({ imageRef: tag });
  const { ports } = poolWorld({ of, atMoment: killedAt("before saveStatus") });
  await using aws = await fakeAws(({ body }) =>
    recordPool(ports, JSON.parse(body) as RecordPoolInput).then(
      (answer) => ({ body: answer }),
      () => thrown("Sandbox.Timedout"),
    ),
  );
  await expect(checksBy(aws).record(of, resolution)).rejects.toBeInstanceOf(Unreachable);
  expect(await checksBy(aws).record(of, resolution)).toBe("recorded");
  expect(ports.nodePools.events()).toHaveLength(1);
});
