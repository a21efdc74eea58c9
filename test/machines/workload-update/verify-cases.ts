import { named } from "../script.ts";
import type { Case } from "./cases.ts";

const verified = { kind: "verified", digest: `sha256:${"a".repeat(64)}`, reason: "signed by key release.pub" } as const;
const unverified = { kind: "unverified", digest: null, reason: "no valid signature" } as const;
const step = { waitSeconds: 0, reason: "the canary is ready", step: "1/2 (25%)" } as const;
const ready = { kind: "ready", waitSeconds: 0, reason: "all ready" } as const;
const applied = { kind: "applied", waitSeconds: 15, reason: "set the image" } as const;
const recorded = { kind: "recorded", reason: "recorded" } as const;

const toVerdict = [
  "StartCanary",
  "Started?",
  "WaitForCanary",
  "CheckCanary",
  "CanaryReady?",
  "AnalyzeCanary",
  "Verdict?",
] as const;

/** Inserts the verification into the path of a case that was written without it: at its start, and before what a canary writes. */
export function withVerification(cases: readonly Case[]): readonly Case[] {
  return cases.map((one) => ({ ...one, states: ["Begin", "VerifyImage", ...one.states.flatMap(verifyBefore)] }));
}

const byCanary: ReadonlySet<string> = new Set([
  "Verdict? ApplyUpdate",
  "Verdict? StartCanary",
  "CanaryReady? ApplyUpdate",
]);

function verifyBefore(state: string, index: number, states: readonly string[]): readonly string[] {
  const isVerified = byCanary.has(`${states[index - 1]} ${state}`);
  return isVerified ? ["VerifyImage", "ChooseStrategy", state] : [state];
}

export const verifyCases: readonly Case[] = [
  {
    when: "it is not verified: the function that would write it decides",
    script: { VerifyImage: [unverified], ApplyUpdate: [{ ...applied, kind: "superseded" }] },
    states: ["ChooseStrategy", "ApplyUpdate", "Applied?", "Superseded"],
  },
  {
    when: "each step of a canary and its promotion are verified again",
    input: { strategy: "canary" },
    script: {
      VerifyImage: [verified],
      StartCanary: [{ kind: "started", ...step }],
      CheckCanary: [{ kind: "ready", ...step }],
      AnalyzeCanary: [
        { kind: "next", ...step },
        { kind: "pass", ...step },
      ],
      ApplyUpdate: [applied],
      CheckReadiness: [ready],
      RecordSuccess: [recorded],
    },
    states: [
      "ChooseStrategy",
      ...toVerdict,
      ...toVerdict,
      "ApplyUpdate",
      "Applied?",
      "WaitForRollout",
      "CheckReadiness",
      "Ready?",
      "RecordSuccess",
      "Recorded?",
      "Updated",
    ],
  },
];

/** How the verification itself may fail, with the Choice after it and the end of an execution that has not claimed anything. */
const failures = [
  { error: named("Unreachable", "connect ECONNREFUSED"), choice: "Unanswered?", ending: "ClusterUnreachable" },
  {
    error: named("Lambda.ResourceNotReadyException", "the function is inactive"),
    choice: "NotRun?",
    ending: "PlatformError",
  },
  { error: named("TypeError", "nothing is undefined"), choice: "NotVerified?", ending: "UpdateFailed" },
] as const;

/** An update in flight is checked as always. One that begins has written nothing, and ends. */
export const failedVerifications: readonly Case[] = failures.flatMap(({ error, choice, ending }): readonly Case[] => [
  {
    when: `${error.name}: an update that begins ends`,
    script: { VerifyImage: [error] },
    states: [choice, ending],
    error: ending,
    cause: error.message,
  },
  {
    when: `${error.name}: an update that is adopted is checked`,
    input: { adopting: true },
    script: {
      VerifyImage: [error],
      AdoptUpdate: [{ kind: "adopted", waitSeconds: 0, reason: "took over" }],
      CheckReadiness: [ready],
      RecordSuccess: [recorded],
    },
    states: [
      choice,
      "VerificationUnknown",
      "ChooseStrategy",
      "AdoptUpdate",
      "Adopted?",
      "CheckReadiness",
      "Ready?",
      "RecordSuccess",
      "Recorded?",
      "Updated",
    ],
  },
  ...(["pass", "next"] as const).map((kind): Case => ({
    when: `${error.name}: a canary whose step ended with ${kind} continues`,
    input: { strategy: "canary" },
    script: {
      VerifyImage: [verified, error],
      StartCanary: [
        { kind: "started", ...step },
        { kind: "superseded", ...step },
      ],
      CheckCanary: [{ kind: "ready", ...step }],
      AnalyzeCanary: [{ kind, ...step }],
      ApplyUpdate: [{ ...applied, kind: "superseded" }],
    },
    states: [
      "ChooseStrategy",
      ...toVerdict,
      "VerifyImage",
      choice,
      "VerificationUnknown",
      "ChooseStrategy",
      ...(kind === "pass" ? ["ApplyUpdate", "Applied?"] : ["StartCanary", "Started?"]),
      "Superseded",
    ],
  })),
]);
