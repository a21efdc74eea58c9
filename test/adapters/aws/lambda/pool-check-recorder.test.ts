import { LambdaClient } from "@aws-sdk/client-lambda";
import { expect, test } from "vitest";
import { Unreachable } from "../../../../functions/ports/errors.ts";
import { createLambdaPoolCheckRecorder } from "../../../../functions/adapters/aws/lambda/pool-check-recorder.ts";
import { recordPool } from "../../../../functions/handlers/record-pool.ts";
import type { Resolution } from "../../../../functions/domain/node-pool/pool/target.ts";
import type { RecordPoolInput } from "../../../../functions/ports/pool-check-recorder.ts";
import { poolCheckRecorderContract } from "../../../contracts/pool-check-recorder.ts";
import { digestB, pool } from "../../../domain/node-pool/pools.ts";
import { newPool, createPoolFixture } from "../../../handlers/node-pool/node-pool-fixtures.ts";
import { type FakeAws, fakeAws } from "../../../support/aws/aws-services.ts";
import { killedAt } from "../../../support/fake-ports.ts";
import { startLambda, lambdaRecorderContract, functionError } from "./recording-client.ts";

const functionName = "arn:aws:lambda:eu-west-1:123456789012:function:pawl-record-pool:live";
const tag = "quay.io/example/myos:stable";
const resolution: Resolution = { kind: "resolved", ref: tag, digest: digestB };

function createRecorder({ options }: FakeAws) {
  return createLambdaPoolCheckRecorder({ client: new LambdaClient(options), functionName, cluster: "production" });
}

poolCheckRecorderContract(async (options) => {
  const { ports } = createPoolFixture(options);
  const aws = await startLambda((input) => recordPool(ports, input as RecordPoolInput));
  return { recorder: createRecorder(aws), ports };
});

lambdaRecorderContract(functionName, (options) => {
  const checks = createLambdaPoolCheckRecorder({ ...options, cluster: "production" });
  return () => checks.record(pool(), resolution);
});

test.for([{ input: resolution }, { input: null }])(
  "the function is invoked with exactly its input",
  async ({ input }) => {
    await using aws = await fakeAws(() => ({ body: { kind: "written", reason: "" } }));
    await createRecorder(aws).record(pool(), input);
    expect(aws.calls.map(({ operation, body }) => [operation, JSON.parse(body)])).toEqual([
      [
        `POST /2015-03-31/functions/${encodeURIComponent(functionName)}/invocations`,
        { cluster: "production", pool: { name: "workers", uid: "pool-1" }, resolution: input, gates: [] },
      ],
    ]);
  },
);

test("a function that was terminated before its write writes and emits in the next poll", async () => {
  const unresolved = newPool({ imageRef: tag });
  const { ports } = createPoolFixture({ pool: unresolved, atMoment: killedAt("before saveStatus") });
  await using aws = await fakeAws(({ body }) =>
    recordPool(ports, JSON.parse(body) as RecordPoolInput).then(
      (result) => ({ body: result }),
      () => functionError("Sandbox.Timedout"),
    ),
  );
  await expect(createRecorder(aws).record(unresolved, resolution)).rejects.toBeInstanceOf(Unreachable);
  expect(await createRecorder(aws).record(unresolved, resolution)).toBe("recorded");
  expect(ports.nodePools.events()).toHaveLength(1);
});
