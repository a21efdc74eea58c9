import { executionsContract } from "../contracts/executions.ts";
import { fakeExecutions } from "../support/fake-executions.ts";

executionsContract(async () => {
  const executions = fakeExecutions();
  return { executions, finish: async (name) => executions.finish(name) };
});
