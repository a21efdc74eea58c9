import type { AwsService } from "../aws-json/aws-json.ts";
import { describeExecution, getExecutionHistory, listExecutions, stopExecution } from "./operations/executions.ts";
import { startExecution } from "./operations/start-execution.ts";
import { describeStateMachine, listStateMachines } from "./operations/state-machines.ts";
import type { ServiceContext } from "./service-context.ts";

/** Returns the part of the Step Functions API that Pawl uses, plus read operations for debugging. */
export function stepFunctionsService(service: ServiceContext): AwsService {
  return {
    target: "AWSStepFunctions",
    version: "1.0",
    operations: {
      StartExecution: (fields) => startExecution(service, fields),
      DescribeExecution: (fields) => describeExecution(service, fields),
      ListExecutions: (fields) => listExecutions(service, fields),
      StopExecution: (fields) => stopExecution(service, fields),
      GetExecutionHistory: (fields) => getExecutionHistory(service, fields),
      DescribeStateMachine: (fields) => describeStateMachine(service, fields),
      ListStateMachines: (fields) => listStateMachines(service, fields),
    },
  };
}
