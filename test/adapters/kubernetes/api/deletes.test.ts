import { ApiException } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import { ignoreNotFoundOnDelete } from "../../../../functions/adapters/kubernetes/requests.ts";

const preconditionFailed =
  "the UID in the precondition (1) does not match the UID in record (2). The object might have been deleted and then recreated";

test.for([
  { code: 404, message: 'pods "web-1" not found', thrown: null },
  { code: 409, message: `Operation cannot be fulfilled on pods "web-1": ${preconditionFailed}`, thrown: null },
  {
    code: 409,
    message:
      'Operation cannot be fulfilled on pods "web-1": Precondition failed: UID in precondition: 1, UID in object meta: 2',
    thrown: null,
  },
  { code: 409, message: "the object is locked", thrown: "Conflict" },
  { code: 409, message: "", thrown: "Conflict" },
  { code: 500, message: "etcdserver: request timed out", thrown: "Unreachable" },
])("a delete that is answered with $code $message throws $thrown", async ({ code, message, thrown }) => {
  const answer = new ApiException(code, message, JSON.stringify({ kind: "Status", reason: "Conflict", message }), {});
  const deleted = ignoreNotFoundOnDelete("delete pod shop/web-1", () => Promise.reject(answer));
  const error = await deleted.then(
    () => null,
    ({ name }: Error) => name,
  );
  expect(error).toBe(thrown);
});
