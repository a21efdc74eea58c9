import type { DescribeImageScanFindingsResponse, ImageScanFindings } from "@aws-sdk/client-ecr";
import type { ScanFinding, ScanResult } from "../../../domain/gates/scan.ts";
import { parseEcrHost } from "../../../domain/image/ecr-host.ts";
import { truncate } from "../../../domain/text/summarize-list.ts";
import type { Registry } from "../../../ports/registry.ts";
import { type AwsOptions, withTimeouts } from "../client.ts";
import { mapAwsError } from "../map-error.ts";

/** A finding of Amazon Inspector has some kilobytes. */
const pageSize = 100;

/** 5,000 findings: more say no more about an image. */
const maxPages = 50;

/** In seconds, for all pages. */
const maxSeconds = 20;

/** Of a scan that is complete; Amazon Inspector scans continuously. */
const completeStatuses: ReadonlySet<string> = new Set(["COMPLETE", "ACTIVE"]);
const pendingStatuses: ReadonlySet<string> = new Set(["PENDING", "IN_PROGRESS"]);

/** Errors that say something about the image. */
const answers: Readonly<Record<string, ScanResult>> = {
  ScanNotFoundException: { kind: "pending", reason: "it has not begun, or scans are not enabled" },
  ImageNotFoundException: { kind: "unknown", reason: "ECR has no such image" },
  RepositoryNotFoundException: { kind: "unknown", reason: "ECR has no such repository" },
  AccessDeniedException: { kind: "unknown", reason: "Pawl may not call ecr:DescribeImageScanFindings for it" },
};

/**
 * Creates the method that asks private ECR registries for the findings of a digest, by ecr:DescribeImageScanFindings with the function's role.
 * Throws `Throttled` and `Unreachable`.
 */
export function createEcrScans(
  aws: AwsOptions,
  clock: () => number = () => performance.now(),
): NonNullable<Registry["scanOf"]> {
  return async ({ registry, repository, digest }) => {
    const host = parseEcrHost(registry);
    if (host === null || digest === null) return { kind: "unknown", reason: `${registry} is no private ECR registry` };
    const { DescribeImageScanFindingsCommand, ECRClient } = await import("@aws-sdk/client-ecr");
    const client = new ECRClient(withTimeouts({ ...aws, region: host.region }));
    const image = { registryId: host.account, repositoryName: repository, imageId: { imageDigest: digest } };
    const deadline = clock() + maxSeconds * 1000;
    const findings = new Map<string, ScanFinding>();
    let nextToken: string | undefined;
    try {
      for (let page = 0; page < maxPages && clock() < deadline; page += 1) {
        const token = nextToken === undefined ? {} : { nextToken };
        const command = new DescribeImageScanFindingsCommand({ ...image, maxResults: pageSize, ...token });
        const response = await client.send(command);
        const unfinished = page === 0 ? unfinishedResult(response) : null;
        if (unfinished !== null) return unfinished;
        for (const finding of findingsIn(response.imageScanFindings ?? {}))
          findings.set(`${finding.name} ${finding.severity}`, finding);
        ({ nextToken } = response);
        if (nextToken === undefined) return { kind: "complete", findings: [...findings.values()] };
      }
      return {
        kind: "unknown",
        reason: `it has more findings than can be read in ${maxPages} pages and ${maxSeconds} s`,
      };
    } catch (error) {
      const answer = error instanceof Error ? answers[error.name] : undefined;
      if (answer !== undefined) return answer;
      throw mapAwsError(error, `ecr:DescribeImageScanFindings of ${registry}/${repository}`);
    } finally {
      client.destroy();
    }
  };
}

/** Returns the result of a scan without findings, yet or ever; null if it is complete. */
function unfinishedResult({ imageScanStatus }: DescribeImageScanFindingsResponse): ScanResult | null {
  const { status = "absent", description = "" } = imageScanStatus ?? {};
  if (completeStatuses.has(status)) return null;
  const reason = `its status is ${status}${description === "" ? "" : `: ${truncate(description)}`}`;
  return { kind: pendingStatuses.has(status) ? "pending" : "unknown", reason };
}

/** Reads the findings of both kinds of scan. What is suppressed or closed in Amazon Inspector does not count. */
function findingsIn({ findings = [], enhancedFindings = [] }: ImageScanFindings): readonly ScanFinding[] {
  const basic = findings.map(({ name = "?", severity = "UNDEFINED", attributes = [] }) => {
    const packageName = attributes.find(({ key }) => key === "package_name")?.value ?? "";
    return { name: nameOf(name, packageName), severity };
  });
  const enhanced = enhancedFindings
    .filter(({ status = "ACTIVE" }) => status === "ACTIVE")
    .flatMap(({ title = "?", severity = "UNTRIAGED", packageVulnerabilityDetails: details }) => {
      const packages = details?.vulnerablePackages?.map(({ name = "" }) => name) ?? [];
      const names = packages.length === 0 ? [""] : packages;
      return names.map((name) => ({ name: nameOf(details?.vulnerabilityId ?? title, name), severity }));
    });
  return [...basic, ...enhanced];
}

function nameOf(vulnerability: string, packageName: string): string {
  return truncate([vulnerability, packageName].filter(Boolean).join(" "), 256);
}
