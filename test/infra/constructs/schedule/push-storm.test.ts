import { expect, test } from "vitest";
import { toPollInput } from "../../../../functions/contract/poll-input.ts";
import { poll } from "../../../../functions/handlers/poll.ts";
import { fakePorts } from "../../../support/fake-ports.ts";
import { idleWorkload } from "../../../workflows/poll/fixtures.ts";
import { synthesise } from "../../synthesized-stack.ts";

interface Message {
  readonly at: number;
  readonly body: string;
}

const { at, ofType } = synthesise();
const [, { Properties: source }] = ofType("AWS::Lambda::EventSourceMapping").find(([path]) =>
  path.startsWith("production/"),
)!;
const [batchSize, windowSeconds] = [Number(source["BatchSize"]), Number(source["MaximumBatchingWindowInSeconds"])];

/** Fills the message of the rule, as EventBridge does. */
function messageOf(repository: string): string {
  const [{ InputTransformer }] = at("production/EcrPush/Rule").Properties["Targets"] as [
    { InputTransformer: { InputPathsMap: Record<string, string>; InputTemplate: string } },
  ];
  const values: Readonly<Record<string, string>> = {
    "$.detail.repository-name": repository,
    "$.account": "123456789012",
    "$.region": "eu-west-1",
  };
  const { InputPathsMap, InputTemplate } = InputTransformer;
  return InputTemplate.replaceAll(/<([^>]+)>/g, (_, name: string) => JSON.stringify(values[InputPathsMap[name] ?? ""]));
}

/** Batches messages as an event source of Lambda: from the first one, until the window ends or the batch is full. */
function batchesOf(messages: readonly Message[]): readonly (readonly Message[])[] {
  const batches: Message[][] = [];
  for (const message of messages) {
    const batch = batches.at(-1);
    const isOpen = batch !== undefined && message.at < batch[0]!.at + windowSeconds && batch.length < batchSize;
    if (isOpen) batch.push(message);
    else batches.push([message]);
  }
  return batches;
}

test("a thousand pushes in a minute to repositories that nothing uses cost at most four lists, and no request to a registry", async () => {
  const ports = fakePorts({
    workloads: [idleWorkload("web", "123456789012.dkr.ecr.eu-west-1.amazonaws.com/web:1.0.0")],
  });
  let lists = 0;
  const list: typeof ports.cluster.list = (...given) => {
    lists += 1;
    return ports.cluster.list(...given);
  };
  const messages = Array.from({ length: 1000 }, (_, index) => ({ at: index * 0.06, body: messageOf(`ci/${index}`) }));
  const batches = batchesOf(messages);
  for (const Records of batches)
    await poll({ ...ports, cluster: { ...ports.cluster, list } }, toPollInput({ Records }));
  expect(batches.flat()).toHaveLength(1000);
  expect(lists).toBe(batches.length);
  expect(lists).toBeLessThanOrEqual(4);
  expect([ports.listed, ports.executions.started]).toEqual([[], []]);
});
