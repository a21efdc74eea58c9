/** Every error that a Catch takes for one of the infrastructure, and how often a Task is tried in all before it is given up. */
export const retriedErrors = [
  { error: "Throttled", tries: 71 },
  { error: "Lambda.TooManyRequestsException", tries: 71 },
  { error: "Lambda.ServiceException", tries: 7 },
  { error: "Lambda.AWSLambdaException", tries: 7 },
  { error: "Lambda.SdkClientException", tries: 7 },
  { error: "Lambda.ClientExecutionTimeoutException", tries: 7 },
  { error: "Unreachable", tries: 241 },
  { error: "Conflict", tries: 13 },
  { error: "Sandbox.Timedout", tries: 3 },
  { error: "Lambda.Unknown", tries: 3 },
  { error: "States.Timeout", tries: 3 },
  { error: "Forbidden", tries: 1 },
] as const;
