import { createInProcessPoolCheckRecorder } from "../../../functions/workflows/node-pool-rollout/record-status.ts";
import { poolCheckRecorderContract } from "../../contracts/pool-check-recorder.ts";
import { createPoolFixture } from "../../handlers/node-pool/node-pool-fixtures.ts";

poolCheckRecorderContract(async (options) => {
  const { ports } = createPoolFixture(options);
  return { recorder: createInProcessPoolCheckRecorder(ports), ports };
});
