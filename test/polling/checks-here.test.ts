import { checksHere } from "../../functions/polling/checks-here.ts";
import { checksContract } from "../contracts/checks.ts";
import { fakePorts } from "../support/fake-ports.ts";

checksContract(async (workloads) => {
  const ports = fakePorts({ workloads });
  return { checks: checksHere(ports), ports };
});
