import { createInProcessCheckRecorder } from "../../../../functions/workflows/poll/record/record-check.ts";
import { checkRecorderContract } from "../../../contracts/check-recorder.ts";
import { fakePorts } from "../../../support/fake-ports.ts";

checkRecorderContract(async (workloads) => {
  const ports = fakePorts({ workloads });
  return { checks: createInProcessCheckRecorder(ports), ports };
});
