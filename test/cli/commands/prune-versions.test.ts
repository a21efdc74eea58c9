import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { type AwsAnswer, type AwsCall, fakeAws, refusalOf } from "../../support/aws/aws-services.ts";
import { runPawl } from "../run-pawl.ts";

vi.setConfig({ testTimeout: 60_000 });

const day = 86_400_000;
const lambdaArn = (name: string, version: number) =>
  `arn:aws:lambda:eu-west-1:123456789012:function:pawl-prod-${name}:${version}`;
const machineArn = "arn:aws:states:eu-west-1:123456789012:stateMachine:pawl-prod-workload-update";

interface Given {
  /** How many days ago the versions 1, 2, … were deployed. */
  readonly ages: readonly number[];
  /** The versions to which the aliases lead: of machines and of functions. */
  readonly routed: number;
  readonly live: number;
  readonly running?: number;
}

/** Answers as AWS does for the functions `poll` and `apply-update` and the machine whose versions name `apply-update`. */
function answerFor({ ages, routed, live, running }: Given): (call: AwsCall) => AwsAnswer {
  const numbers = ages.map((_, index) => index + 1);
  const createdAt = (version: number) => Date.now() - ages[version - 1]! * day;
  return ({ operation, body }) => {
    const input = (body === "" ? {} : JSON.parse(body)) as { readonly stateMachineArn?: string };
    const of = Number(input.stateMachineArn?.split(":")[7]);
    const isFanOut = input.stateMachineArn?.endsWith("poll-fanout") === true;
    if (operation.startsWith("DELETE ") || operation === "DeleteStateMachineVersion") return { body: {} };
    if (operation.includes("/aliases/live")) return { body: { FunctionVersion: String(live) } };
    if (operation === "ListStateMachineVersions") {
      const stateMachineVersions = numbers.map((version) => ({
        stateMachineVersionArn: `${machineArn}:${version}`,
        creationDate: createdAt(version) / 1000,
      }));
      return { body: { stateMachineVersions: isFanOut ? [] : stateMachineVersions } };
    }
    if (operation === "DescribeStateMachineAlias")
      return body.includes("poll-fanout")
        ? refusalOf("ResourceNotFound")
        : { body: { routingConfiguration: [{ stateMachineVersionArn: `${machineArn}:${routed}`, weight: 100 }] } };
    if (operation === "ListExecutions") return { body: { executions: of === running ? [{ name: "one" }] : [] } };
    if (operation === "DescribeStateMachine") {
      const arn = lambdaArn("apply-update", of || numbers.length);
      return {
        body: { definition: JSON.stringify({ States: { ApplyUpdate: { Parameters: { FunctionName: arn } } } }) },
      };
    }
    const [, name, marker] =
      /functions\/pawl-prod-(poll|apply-update)\/versions(?:\?Marker=(.*))?$/.exec(operation) ?? [];
    if (name === undefined) return refusalOf("ResourceNotFoundException", 404);
    const versions = numbers.map((version) => ({
      Version: String(version),
      FunctionArn: lambdaArn(name, version),
      LastModified: new Date(createdAt(version)).toISOString().replace("Z", "+0000"),
    }));
    const $latest = { Version: "$LATEST", FunctionArn: lambdaArn(name, 1).replace(/:1$/, ":$LATEST") };
    return marker === undefined
      ? { body: { Versions: [$latest, ...versions.slice(0, 1)], NextMarker: "rest" } }
      : { body: { Versions: versions.slice(1) } };
  };
}

async function prune(answer: (call: AwsCall) => AwsAnswer, args: readonly string[]) {
  const directory = await mkdtemp(join(tmpdir(), "pawl-prune-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, "pawl.json");
  const eks = { clusterName: "prod", region: "eu-west-1" };
  await writeFile(file, JSON.stringify({ clusters: [{ name: "prod", eks }] }));
  await using aws = await fakeAws(answer);
  const env = {
    AWS_ENDPOINT_URL: aws.options.endpoint,
    AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
    AWS_SECRET_ACCESS_KEY: "secret",
  };
  const ran = await runPawl(["prune-versions", "--file", file, "--json", ...args], { env });
  const deletions = aws.calls.flatMap(({ operation, body }) => {
    if (operation === "DeleteStateMachineVersion")
      return [(JSON.parse(body) as { stateMachineVersionArn: string }).stateMachineVersionArn];
    return operation.startsWith("DELETE ") ? [decodeURIComponent(operation)] : [];
  });
  const printed = JSON.parse(ran.stdout || "{}") as {
    readonly versions?: readonly string[];
    readonly deleted?: boolean;
  };
  return { ...ran, ...printed, deletions };
}

const ages = [100, 90, 80, 9, 1];

test.for([
  {
    when: "the newest two remain, and what they replaced less than eight days ago",
    given: { ages: [100, 90, 80, 2, 1], routed: 5, live: 5 },
    versions: [`${machineArn}:2`, `${machineArn}:1`, ...[2, 1].map((one) => lambdaArn("poll", one))],
    ofApply: [2, 1],
  },
  {
    when: "an older one was replaced nine days ago",
    given: { ages, routed: 5, live: 5 },
    versions: [3, 2, 1].flatMap((one) => [`${machineArn}:${one}`, lambdaArn("poll", one)]),
    ofApply: [3, 2, 1],
  },
  {
    when: "an execution runs on an old one",
    given: { ages, routed: 5, live: 5, running: 2 },
    versions: [`${machineArn}:3`, `${machineArn}:1`, ...[3, 2, 1].map((one) => lambdaArn("poll", one))],
    ofApply: [3, 1],
  },
  {
    when: "somebody rolled the aliases back",
    given: { ages, routed: 1, live: 2 },
    versions: [`${machineArn}:3`, `${machineArn}:2`, lambdaArn("poll", 3), lambdaArn("poll", 1)],
    ofApply: [3],
  },
])("deletes what nothing uses, if $when", async ({ given, versions, ofApply }) => {
  const { status, deleted, deletions, ...printed } = await prune(answerFor(given), ["--keep", "2"]);
  const expected = [...versions, ...ofApply.map((one) => lambdaArn("apply-update", one))];
  expect({ status, deleted }).toEqual({ status: 0, deleted: true });
  expect(new Set(printed.versions)).toEqual(new Set(expected));
  const requests = expected.map((arn) =>
    arn.startsWith(machineArn)
      ? arn
      : `DELETE /2015-03-31/functions/${arn.replace(/:[0-9]+$/, "")}?Qualifier=${arn.split(":").at(-1)}`,
  );
  expect(new Set(deletions)).toEqual(new Set(requests));
  // What a machine names outlives it.
  expect(deletions.findLastIndex((one) => one.startsWith(machineArn))).toBeLessThan(
    deletions.findIndex((one) => one.startsWith("DELETE ")),
  );
});

test("deletes nothing with --dry-run", async () => {
  const { versions, deleted, deletions } = await prune(answerFor({ ages, routed: 5, live: 5 }), [
    "--keep",
    "2",
    "--dry-run",
  ]);
  expect({ count: versions?.length, deleted, deletions }).toEqual({ count: 9, deleted: false, deletions: [] });
});

test("keeps ten by default", async () => {
  expect((await prune(answerFor({ ages, routed: 5, live: 5 }), [])).versions).toEqual([]);
});

test.for([
  { args: ["--keep", "1"], says: '--keep: "1" is not a whole number from 2 to 9999' },
  { args: [], says: "cluster prod: has no functions in eu-west-1; check the region and the credentials" },
])("rejects $args", async ({ args, says }) => {
  const { status, stderr, deletions } = await prune(() => refusalOf("ResourceNotFoundException", 404), args);
  expect({ status, deletions }).toEqual({ status: 2, deletions: [] });
  expect(stderr).toContain(says);
});

test("deletes nothing if the user may not read a part of the deployment", async () => {
  const whole = answerFor({ ages, routed: 5, live: 5 });
  const answer = (call: AwsCall) =>
    call.operation === "DescribeStateMachine" ? refusalOf("AccessDeniedException") : whole(call);
  const { status, deletions } = await prune(answer, ["--keep", "2"]);
  expect({ status, deletions }).toEqual({ status: 3, deletions: [] });
});
