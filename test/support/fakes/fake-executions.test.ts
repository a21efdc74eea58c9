import type { UpdateInput } from "../../../functions/contract/workload-update.ts";
import { executionsContract } from "../../contracts/executions.ts";
import { fakeExecutions } from "./fake-executions.ts";

executionsContract(async () => {
  const executions = fakeExecutions<UpdateInput>();
  return { executions, finish: async (name) => executions.finish(name) };
});
