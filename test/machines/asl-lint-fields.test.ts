import { describe } from "vitest";
import { readMachine } from "./asl-files.ts";
import { taskFields } from "./fields.ts";
import type { LintedState } from "./lint/definition.ts";
import { fieldsAsAgreed } from "./lint/fields.ts";
import { rejects } from "./spoilt.ts";

describe("not what its contract says", () => {
  const { Parameters: parameters, ResultSelector: selector } = readMachine("workload-update").States[
    "HandOver"
  ] as LintedState;
  const { Payload: payload } = parameters as { readonly Payload: object };
  const less = Object.fromEntries(Object.entries(payload).filter(([field]) => field !== "image.$"));
  const gives = (own: object) => ({ Parameters: { Payload: { ...payload, ...own } } });
  const keeps = (own: object) => ({ ResultSelector: { ...(selector as object), ...own } });
  rejects(fieldsAsAgreed(taskFields), [
    {
      name: "too little is given",
      state: "HandOver",
      spoilt: { Parameters: { Payload: less } },
      says: "HandOver: image is not given",
    },
    {
      name: "too much is given",
      state: "HandOver",
      spoilt: gives({ "tag.$": "$.tag" }),
      says: "HandOver: tag is not asked for",
    },
    {
      name: "a value that is no path",
      state: "HandOver",
      spoilt: gives({ attempt: 1 }),
      says: "HandOver: attempt: 1 is not asked for",
    },
    {
      name: "too little is kept",
      state: "HandOver",
      spoilt: { ResultSelector: { "kind.$": "$.Payload.kind" } },
      says: "HandOver: reason is not kept",
    },
    {
      name: "what is never answered",
      state: "HandOver",
      spoilt: keeps({ "waitSeconds.$": "$.Payload.waitSeconds" }),
      says: "HandOver: waitSeconds.$ is $.Payload.waitSeconds, which is not answered",
    },
    {
      name: "one thing for another",
      state: "HandOver",
      spoilt: keeps({ "reason.$": "$.Payload.kind" }),
      says: "HandOver: reason.$ is $.Payload.kind, which is not answered",
    },
    { name: "nobody's Task", state: "GoHome", spoilt: { Type: "Task" }, says: "GoHome: no contract" },
  ]);
});
