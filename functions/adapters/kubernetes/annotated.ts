import { annotations, canaryPhase, healthCheckPhase, restartPhase } from "../../domain/annotations.ts";
import { type AnalysisState, formatAnalysisState, parseAnalysisState } from "../../domain/analysis/state.ts";
import { formatDigests, parseDigests } from "../../domain/digests.ts";
import { emptyBookkeeping } from "../../domain/bookkeeping.ts";
import { namesIn } from "../../domain/names-in.ts";
import { formatRfc3339, parseRfc3339 } from "../../domain/time.ts";
import type { Digests } from "../../domain/tracking.ts";
import type { Announced, Bookkeeping, HistoryEntry, InFlight, Phase } from "../../domain/workload.ts";

export type Annotations = Readonly<Record<string, string>>;
/** null takes an annotation away. */
export type AnnotationPatch = Readonly<Record<string, string | null>>;

export interface InFlightKeys {
  readonly targetImage: string;
  readonly updatePhase: string;
  readonly updateStarted: string;
}

/** An update is in flight where the phase says so and a target is named, or where it is being rolled back. */
export function readInFlight(from: Annotations, keys: InFlightKeys): InFlight | null {
  const phase = readPhase(from, keys);
  const targetImage = from[phase === "rollback" ? annotations.rollingBack : keys.targetImage];
  if (phase === null || !targetImage) return null;
  return {
    targetImage,
    startedAt: parseRfc3339(from[keys.updateStarted] ?? "") ?? "malformed",
    execution: from[annotations.execution] || null,
    previousImage: from[annotations.previousImage] || null,
    digests: readTargetDigests(from[annotations.targetDigests]),
    phase,
  };
}

/** null where nothing is followed by digest, and where it cannot be read. */
function readTargetDigests(text: string | undefined): Digests | null {
  return text ? parseDigests(text) : null;
}

function readPhase(from: Annotations, keys: InFlightKeys): Phase | null {
  if (from[annotations.rollingBack]) return "rollback";
  const written = from[keys.updatePhase];
  const isPawls = keys.updatePhase === annotations.updatePhase;
  if (written === canaryPhase && isPawls) return "canary";
  if (written === restartPhase && isPawls) return "restart";
  return written === healthCheckPhase ? "rollout" : null;
}

const spelled = { canary: canaryPhase, rollout: healthCheckPhase, restart: restartPhase } as const;

/** The marks of an update; those of a rollback are the execution's and the image that was given up. */
export function inFlightPatch(inFlight: InFlight, keys: InFlightKeys): AnnotationPatch {
  const { targetImage, startedAt, execution, previousImage, digests, phase } = inFlight;
  if (phase === "rollback") {
    return {
      ...noLongerInFlightPatch(keys),
      [annotations.execution]: execution,
      [annotations.rollingBack]: targetImage,
    };
  }
  return {
    [keys.targetImage]: targetImage,
    [keys.updatePhase]: spelled[phase],
    // A start that could not be read is left as it was found.
    ...(startedAt === "malformed" ? {} : { [keys.updateStarted]: formatRfc3339(startedAt) }),
    [annotations.execution]: execution,
    [annotations.previousImage]: previousImage,
    [annotations.targetDigests]: digests === null ? null : formatDigests(digests),
  };
}

export function noLongerInFlightPatch(keys: InFlightKeys): AnnotationPatch {
  return {
    [keys.updatePhase]: null,
    [keys.updateStarted]: null,
    [annotations.execution]: null,
    [annotations.previousImage]: null,
    [annotations.targetDigests]: null,
    [annotations.rollingBack]: null,
  };
}

/** Whether there is something of an update to finish or to tidy up, also where its owner has opted out meanwhile. */
export function hasMarks(from: Annotations | undefined, keys: InFlightKeys): boolean {
  return from?.[keys.updatePhase] !== undefined || from?.[annotations.rollingBack] !== undefined;
}

export function readAnnounced(from: Annotations): Announced {
  return { held: from[annotations.held] || null, problem: from[annotations.problem] || null };
}

export function announcedPatch(announced: Partial<Announced>): AnnotationPatch {
  return {
    ...(announced.held === undefined ? {} : { [annotations.held]: announced.held }),
    ...(announced.problem === undefined ? {} : { [annotations.problem]: announced.problem }),
  };
}

export function pausedPatch(paused: boolean | undefined): AnnotationPatch {
  return paused === undefined ? {} : { [annotations.paused]: paused ? "true" : null };
}

export interface ReadBookkeeping {
  readonly bookkeeping: Bookkeeping;
  readonly problems: readonly string[];
}

/** A person may edit each of these; what cannot be read is a problem, never a silent default. */
export function readBookkeeping(from: Annotations): ReadBookkeeping {
  const problems: string[] = [];
  const parse = <T>(key: string, parser: (text: string) => T | null, fallback: T, expected: string): T => {
    const text = from[key];
    if (text === undefined || text === "") return fallback;
    const parsed = parser(text);
    if (parsed === null) problems.push(`${key} "${text.slice(0, 80)}": must be ${expected}`);
    return parsed ?? fallback;
  };
  const bookkeeping: Bookkeeping = {
    ...emptyBookkeeping,
    currentVersion: from[annotations.currentVersion] || null,
    availableVersion: from[annotations.availableVersion] || null,
    lastCheck: parse(annotations.lastCheck, parseRfc3339, null, "an RFC3339 time, or be removed"),
    lastUpdate: parse(annotations.lastUpdate, parseRfc3339, null, "an RFC3339 time, or be removed"),
    rollbackCount: parse(annotations.rollbackCount, parseCount, 0, "a whole number, 0 or more"),
    failedVersions: namesIn(from[annotations.failedVersions]),
    circuitOpen:
      Boolean(from[annotations.circuitOpen]) && parse(annotations.circuitOpen, parseBoolean, true, '"true" or "false"'),
    versionHistory: parse(
      annotations.versionHistory,
      parseHistory,
      [],
      'lines of "version status time", such as "1.2.0 Healthy 2026-01-02T03:04:05Z"',
    ),
  };
  return { bookkeeping, problems };
}

export function bookkeepingPatch(bookkeeping: Partial<Bookkeeping>): AnnotationPatch {
  const patch: Record<string, string | null> = {};
  for (const [field, write] of Object.entries(bookkeepingWriters)) {
    const value = bookkeeping[field as keyof Bookkeeping];
    if (value !== undefined)
      patch[annotations[field as keyof Bookkeeping]] = value === null ? null : write(value as never);
  }
  return patch;
}

const asText = (text: string) => text;
const bookkeepingWriters = {
  currentVersion: asText,
  availableVersion: asText,
  lastCheck: formatRfc3339,
  lastUpdate: formatRfc3339,
  rollbackCount: (count: number) => (count === 0 ? null : String(count)),
  failedVersions: (versions: readonly string[]) => versions.join(",") || null,
  circuitOpen: (open: boolean) => (open ? "true" : null),
  versionHistory: (history: readonly HistoryEntry[]) =>
    history.map(({ version, status, appliedAt }) => `${version} ${status} ${formatRfc3339(appliedAt)}`).join("\n") ||
    null,
} satisfies Record<keyof Bookkeeping, (value: never) => string | null>;

function parseCount(text: string): number | null {
  return /^\d{1,6}$/.test(text) ? Number(text) : null;
}

function parseBoolean(text: string): boolean | null {
  return text === "true" ? true : text === "false" ? false : null;
}

function parseHistory(text: string): readonly HistoryEntry[] | null {
  const entries = text.trim().split("\n").map(parseHistoryLine);
  return entries.every((entry) => entry !== null) ? entries : null;
}

function parseHistoryLine(line: string): HistoryEntry | null {
  const [version = "", status, time = ""] = line.trim().split(/\s+/);
  const appliedAt = parseRfc3339(time);
  if (version === "" || appliedAt === null || (status !== "Healthy" && status !== "RolledBack")) return null;
  return { version, appliedAt, status };
}

/** What cannot be read counts as never measured: the analysis begins anew. */
export function readAnalysis(from: Annotations): AnalysisState | null {
  const text = from[annotations.analysis];
  return text === undefined ? null : parseAnalysisState(text);
}

export function analysisPatch(state: AnalysisState | null | undefined): AnnotationPatch {
  if (state === undefined) return {};
  return { [annotations.analysis]: state === null ? null : formatAnalysisState(state) };
}

/** What a person has said of the canary; anything else than these two words is nothing. */
export function readVerdict(from: Annotations): "promote" | "abort" | null {
  const said = from[annotations.canaryVerdict];
  return said === "promote" || said === "abort" ? said : null;
}
