import { expect, test } from "vitest";
import { lifeAnnotations, readLife, stageOf } from "./life.ts";

const endless = { startSeconds: 4, liveSeconds: Infinity, exitsBefore: 0, pulls: Infinity };

test.for([
  { life: {}, at: 3, stage: { exits: 0, isReady: false, leftSeconds: 1 } },
  { life: {}, at: 4, stage: { exits: 0, isReady: true, leftSeconds: Infinity } },
  { life: { liveSeconds: 6 }, at: 9, stage: { exits: 0, isReady: true, leftSeconds: 1 } },
  { life: { liveSeconds: 6 }, at: 21, stage: { exits: 2, isReady: false, leftSeconds: 3 } },
  { life: { exitsBefore: 2 }, at: 7, stage: { exits: 1, isReady: false, leftSeconds: 1 } },
  { life: { exitsBefore: 2 }, at: 12, stage: { exits: 2, isReady: true, leftSeconds: Infinity } },
  { life: { startSeconds: 0 }, at: 0, stage: { exits: 0, isReady: true, leftSeconds: Infinity } },
])("the stage of $life after $at s", ({ life, at, stage }) => {
  expect(stageOf({ ...endless, ...life }, at)).toEqual(stage);
});

test.for([
  { annotations: {}, life: null },
  { annotations: { [lifeAnnotations.start]: "4" }, life: endless },
  { annotations: { [lifeAnnotations.pulls]: "1" }, life: { ...endless, startSeconds: 0, pulls: 1 } },
])("the life of $annotations", ({ annotations, life }) => {
  expect(readLife(annotations)).toEqual(life);
});
