import { SSMClient } from "@aws-sdk/client-ssm";
import { expect, onTestFinished, test } from "vitest";
import { createSsmCommands, parseOutcome } from "../../../../functions/adapters/aws/ssm/node-commands.ts";
import { commandsContract, type Kind } from "../../../contracts/node-commands.ts";
import { imageB } from "../../../domain/node-pool/pools.ts";
import { type FakeAws, fakeAws, refusalOf } from "../../../support/aws/aws-services.ts";
import { ssmEndpoint } from "../../../support/aws/ssm-endpoint.ts";

const instances = {
  works: "i-0123456789abcdef0",
  fails: "i-0123456789abcdef1",
  offline: "i-0123456789abcdef2",
  "unknown-instance": "i-0123456789abcdef3",
} satisfies Record<Kind, string>;

function createCommands({ options }: FakeAws) {
  const client = new SSMClient(options);
  onTestFinished(() => client.destroy());
  return createSsmCommands({ client, documentName: "pawl-production-bootc-node" });
}

async function prepare() {
  const { works, fails, offline } = instances;
  const endpoint = ssmEndpoint({ [works]: "Success", [fails]: "Failed", [offline]: "DeliveryTimedOut" });
  const aws = await fakeAws(endpoint.answer);
  onTestFinished(() => aws[Symbol.asyncDispose]());
  return { commands: createCommands(aws), instance: (kind: Kind) => instances[kind], pass: endpoint.complete, aws };
}

commandsContract(prepare);

test.for([
  { action: "status", image: "", parameters: { action: ["status"] } },
  { action: "apply-soft", image: imageB, parameters: { action: ["apply-soft"], image: [imageB] } },
] as const)(
  "$action is sent with Pawl's document to one instance, and expires after a minute",
  async ({ action, image, parameters }) => {
    const { commands, aws } = await prepare();
    await commands.send(instances.works, { action, image });
    expect(aws.calls.map(({ operation, body }) => [operation, JSON.parse(body)])).toEqual([
      [
        "SendCommand",
        {
          DocumentName: "pawl-production-bootc-node",
          InstanceIds: [instances.works],
          Parameters: parameters,
          TimeoutSeconds: 60,
          Comment: `pawl: ${action}`,
        },
      ],
    ]);
  },
);

test.for([
  { answer: refusalOf("ThrottlingException"), name: "Throttled" },
  { answer: refusalOf("InternalServerError", 500), name: "Unreachable" },
  { answer: "hang up", name: "Unreachable" },
  { answer: refusalOf("AccessDeniedException"), name: "Forbidden" },
  { answer: refusalOf("InvalidDocument"), name: "InvalidDocument" },
] as const)("an SSM error is $name", async ({ answer, name }) => {
  await using aws = await fakeAws(() => answer);
  const commands = createCommands(aws);
  await expect(commands.send(instances.works, { action: "status", image: "" })).rejects.toMatchObject({ name });
  await expect(commands.result(instances.works, "c-1")).rejects.toMatchObject({ name });
});

test.for([
  { Status: "Pending", StatusDetails: "Pending", outcome: { kind: "running" } },
  { Status: "Cancelling", StatusDetails: "Cancelling", outcome: { kind: "running" } },
  { Status: "Failed", StatusDetails: "Undeliverable", outcome: { kind: "unreachable" } },
  { Status: "TimedOut", StatusDetails: "Delivery Timed Out", outcome: { kind: "unreachable" } },
  {
    Status: "TimedOut",
    StatusDetails: "Execution Timed Out",
    outcome: { kind: "ended", problem: "SSM reports ExecutionTimedOut" },
  },
  { Status: "Cancelled", StatusDetails: "Cancelled", outcome: { kind: "ended", problem: "SSM reports Cancelled" } },
  { Status: "Failed", StatusDetails: "Failed", outcome: { kind: "ended", problem: "exit status 3" } },
  { Status: "Failed", outcome: { kind: "ended", output: "", problem: "exit status 3" } },
  {
    Status: "Failed",
    StandardErrorContent: "a\nb \n\n--error truncated--\nfailed to run commands: exit status 3\n",
    outcome: { kind: "ended", problem: "b" },
  },
  { Status: "Failed", StandardErrorContent: "x".repeat(8_000), outcome: { problem: `${"x".repeat(1_023)}…` } },
] as const)("$Status, $StatusDetails is $outcome.kind", ({ outcome, ...invocation }) => {
  expect(parseOutcome({ InstanceId: instances.works, ResponseCode: 3, ...invocation })).toMatchObject(outcome);
});
