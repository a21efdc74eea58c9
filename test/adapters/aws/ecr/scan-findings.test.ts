import { describe, expect, test } from "vitest";
import { createEcrScans } from "../../../../functions/adapters/aws/ecr/scan-findings.ts";
import type { ImageReference } from "../../../../functions/domain/image/reference.ts";
import { type AwsAnswer, type AwsCall, fakeAws, refusalOf } from "../../../support/aws/aws-services.ts";
import { fakePorts } from "../../../support/fake-ports.ts";
import { Throttled } from "../../../../functions/ports/errors.ts";
import { scanContract, type ScanSituation } from "../../../contracts/scans.ts";
import { imageAt } from "../../oci-registry/scripted-server.ts";

const digest = `sha256:${"a".repeat(64)}`;
const ireland = { ...imageAt("123456789012.dkr.ecr.eu-west-1.amazonaws.com"), digest };

async function ask(
  answer: (call: AwsCall, page: number) => AwsAnswer | "hang up",
  image: ImageReference = ireland,
  clock?: () => number,
) {
  let page = 0;
  await using aws = await fakeAws((call) => answer(call, page++));
  const found = await createEcrScans(aws.options, clock)(image).catch((error: unknown) => error);
  return { found, calls: aws.calls };
}

const scanned = (imageScanFindings: object, parts: object = {}, status = "COMPLETE"): AwsAnswer => ({
  body: { imageScanStatus: { status }, imageScanFindings, ...parts },
});
const basic = (name: string, severity: string) => ({
  name,
  severity,
  attributes: [
    { key: "package_version", value: "1" },
    { key: "package_name", value: "openssl" },
  ],
});

test("the findings of a basic scan are read from all pages", async () => {
  const { found, calls } = await ask((_call, page) =>
    scanned(
      { findings: [basic(`CVE-${page}`, "HIGH"), { name: "CVE-9", severity: "LOW" }] },
      page < 2 ? { nextToken: `t-${page}` } : {},
    ),
  );
  expect(found).toEqual({
    kind: "complete",
    findings: [
      { name: "CVE-0 openssl", severity: "HIGH" },
      { name: "CVE-9", severity: "LOW" },
      { name: "CVE-1 openssl", severity: "HIGH" },
      { name: "CVE-2 openssl", severity: "HIGH" },
    ],
  });
  const asked = calls.map(({ operation, body }) => [operation, JSON.parse(body) as object] as const);
  expect(asked.map(([operation]) => operation)).toEqual(Array(3).fill("DescribeImageScanFindings"));
  const image = { registryId: "123456789012", repositoryName: ireland.repository, imageId: { imageDigest: digest } };
  expect(asked[0]?.[1]).toEqual({ ...image, maxResults: 100 });
  expect(asked[2]?.[1]).toEqual({ ...image, maxResults: 100, nextToken: "t-1" });
});

test("of an enhanced scan those count that are active, by package", async () => {
  const enhanced = (id: string, names: readonly string[], parts: object = {}) => ({
    severity: "CRITICAL",
    status: "ACTIVE",
    packageVulnerabilityDetails: { vulnerabilityId: id, vulnerablePackages: names.map((name) => ({ name })) },
    ...parts,
  });
  const enhancedFindings = [
    enhanced("CVE-1", ["openssl", "libssl"]),
    enhanced("CVE-2", ["curl"], { status: "SUPPRESSED" }),
    enhanced("CVE-3", ["curl"], { status: "CLOSED" }),
    enhanced("CVE-4", []),
    { title: "a secret in a layer" },
  ];
  const { found } = await ask(() => scanned({ enhancedFindings }, {}, "ACTIVE"));
  expect(found).toEqual({
    kind: "complete",
    findings: [
      { name: "CVE-1 openssl", severity: "CRITICAL" },
      { name: "CVE-1 libssl", severity: "CRITICAL" },
      { name: "CVE-4", severity: "CRITICAL" },
      { name: "a secret in a layer", severity: "UNTRIAGED" },
    ],
  });
});

test.for([
  { status: "PENDING", kind: "pending" },
  { status: "IN_PROGRESS", kind: "pending" },
  { status: "FAILED", kind: "unknown" },
  { status: "UNSUPPORTED_IMAGE", kind: "unknown" },
  { status: "SCAN_ELIGIBILITY_EXPIRED", kind: "unknown" },
  { status: "FINDINGS_UNAVAILABLE", kind: "unknown" },
  { status: "LIMIT_EXCEEDED", kind: "unknown" },
  { status: "IMAGE_ARCHIVED", kind: "unknown" },
  { status: "SOMETHING_NEW", kind: "unknown" },
])("a scan with the status $status is $kind", async ({ status, kind }) => {
  const { found } = await ask(() => ({ body: { imageScanStatus: { status, description: "why" } } }));
  expect(found).toEqual({ kind, reason: `its status is ${status}: why` });
});

test("a response without a status is unknown", async () => {
  expect((await ask(() => ({ body: {} }))).found).toEqual({ kind: "unknown", reason: "its status is absent" });
});

test.for([
  { name: "ScanNotFoundException", kind: "pending" },
  { name: "ImageNotFoundException", kind: "unknown" },
  { name: "RepositoryNotFoundException", kind: "unknown" },
  { name: "AccessDeniedException", kind: "unknown" },
])("after $name it is $kind", async ({ name, kind }) => {
  expect((await ask(() => refusalOf(name))).found).toMatchObject({ kind });
});

test.for([
  { when: "throttles", answer: refusalOf("ThrottlingException"), name: "Throttled" },
  { when: "fails", answer: refusalOf("ServerException", 500), name: "Unreachable" },
  { when: "hangs up", answer: "hang up" as const, name: "Unreachable" },
])("ECR that $when is asked later", async ({ answer, name }) => {
  expect((await ask(() => answer)).found).toMatchObject({ name });
});

test("ECR that throttles at a later page is asked later: a part of the findings decides nothing", async () => {
  const { found } = await ask((_call, page) =>
    page === 0 ? scanned({ findings: [] }, { nextToken: "t" }) : refusalOf("ThrottlingException"),
  );
  expect(found).toMatchObject({ name: "Throttled" });
});

test("more pages, and more time, than are read make it unknown", async () => {
  const endless = () => scanned({ findings: [basic("CVE-1", "LOW")] }, { nextToken: "t" });
  const { found, calls } = await ask(endless);
  expect(found).toMatchObject({ kind: "unknown", reason: expect.stringContaining("50 pages") as string });
  expect(calls).toHaveLength(50);
  let seconds = 0;
  const slow = await ask(endless, ireland, () => (seconds += 9) * 1000);
  expect(slow.found).toMatchObject({ kind: "unknown" });
  expect(slow.calls).toHaveLength(2);
});

test.for([
  { image: { ...imageAt("registry.example"), digest } },
  { image: imageAt("123456789012.dkr.ecr.eu-west-1.amazonaws.com") },
])("nothing is asked about $image.registry with the digest $image.digest", async ({ image }) => {
  const { found, calls } = await ask(() => ({ body: {} }), image);
  expect(found).toMatchObject({ kind: "unknown" });
  expect(calls).toEqual([]);
});

function answerFor(situation: ScanSituation): AwsAnswer {
  if (situation === "throttles") return refusalOf("ThrottlingException");
  if (situation.kind !== "complete")
    return { body: { imageScanStatus: { status: situation.reason.replace("its status is ", "") } } };
  const findings = situation.findings.map(({ name, severity }) => basic(name.replace(" openssl", ""), severity));
  return scanned({ findings });
}

describe("the contract of scans, of ECR", () => {
  scanContract(async (situation, use) => {
    await using aws = await fakeAws(() => answerFor(situation));
    await use(createEcrScans(aws.options), ireland);
  });
});

describe("the contract of scans, of the fake", () => {
  scanContract(async (situation, use) => {
    const { registry } = fakePorts({
      scans: () => (situation === "throttles" ? new Throttled("wait", null) : situation),
    });
    await use(registry.scanOf as NonNullable<typeof registry.scanOf>, ireland);
  });
});
