import { keptOutput } from "../support/output.ts";

/** The error of a Lambda that is invoked with what it cannot work on; what it logs meanwhile is kept back. */
export function refusalBy(handler: (input: never) => Promise<unknown>, asked: object): Promise<unknown> {
  keptOutput();
  return handler(asked as never).then(
    () => null,
    (error: unknown) => error,
  );
}
