import { captureOutput } from "../support/run/output.ts";

/** Invokes a Lambda handler with an invalid input and returns its error; null if there is none. Its log output is captured. */
export function handlerError(handler: (event: never) => Promise<unknown>, input: object): Promise<unknown> {
  captureOutput();
  return handler(input as never).then(
    () => null,
    (error: unknown) => error,
  );
}
