import type { UpdateInput } from "../../functions/contract.ts";
import { executionsContract } from "../contracts/executions.ts";
import { fakeExecutions } from "../support/fake-executions.ts";

executionsContract(async () => {
  const executions = fakeExecutions<UpdateInput>();
  return { executions, finish: async (name) => executions.finish(name) };
});
