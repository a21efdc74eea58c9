import { recordHere } from "../../functions/rolling/record-here.ts";
import { poolChecksContract } from "../contracts/pool-checks.ts";
import { poolWorld } from "../handlers/pool-world.ts";

poolChecksContract(async (options) => {
  const { ports } = poolWorld(options);
  return { checks: recordHere(ports), ports };
});
