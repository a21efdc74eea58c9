import type { AwsService } from "../wire/aws-json.ts";
import { describeExecution } from "./operations/describe-execution.ts";
import { getExecutionHistory } from "./operations/get-execution-history.ts";
import { listExecutions } from "./operations/list-executions.ts";
import { startExecution } from "./operations/start-execution.ts";
import { describeStateMachine, listStateMachines } from "./operations/state-machines.ts";
import { stopExecution } from "./operations/stop-execution.ts";
import type { StepFunctions } from "./step-functions.ts";

/** The part of Step Functions that Pawl and a look from outside need. */
export function stepFunctionsService(service: StepFunctions): AwsService {
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
