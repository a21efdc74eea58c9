import { expect, test } from "vitest";
import { jsonPatch } from "../../../../infra/local/kubernetes/patch/json-patch.ts";

const target = { data: { a: "1" }, list: [1, 2] };

test.for([
  { when: "a parent is not an object or list", operation: { op: "add", path: "/data/a/b", value: 1 }, code: 422 },
  { when: "an index is out of range", operation: { op: "add", path: "/list/9", value: 1 }, code: 422 },
  { when: "the operation is unknown", operation: { op: "merge", path: "/data" }, code: 422 },
  { when: "a move has no source", operation: { op: "move", path: "/data/b" }, code: 422 },
  { when: "the path is not a JSON pointer", operation: { op: "remove", path: "data" }, code: 422 },
  { when: "an operation has no path", operation: { op: "remove" }, code: 400 },
  { when: "an operation is not an object", operation: null, code: 400 },
])("throws $code if $when, and does not change the target", ({ operation, code }) => {
  const before = structuredClone(target);
  const patch = () => jsonPatch(target, [{ op: "remove", path: "/list/0" }, operation]);
  expect(patch).toThrow(expect.objectContaining({ body: expect.objectContaining({ code }) }));
  expect(target).toEqual(before);
});

test.for(["/__proto__/polluted", "/constructor/prototype/polluted"])("%s does not change Object.prototype", (path) => {
  jsonPatch(target, [{ op: "add", path, value: true }]);
  expect({}).not.toHaveProperty("polluted");
});
