/** Every error that a Catch handles as one of the infrastructure, with the maximum number of tries of a Task. */
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
