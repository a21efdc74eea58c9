import { expect, test } from "vitest";
import type { MetricLogin } from "../../../functions/adapters/metric-provider-access.ts";
import type { QueryKind } from "../../../functions/domain/analysis/providers/providers.ts";
import { analyzeCanary } from "../../../functions/handlers/analyze-canary.ts";
import { SecretUnreadable } from "../../../functions/ports/errors.ts";
import { openAdapter } from "../../../functions/runtime/open-metric-providers.ts";
import { startScriptedServer } from "../../adapters/oci-registry/scripted-server.ts";
import { canaryWorkload, noon } from "../../support/workloads.ts";
import { checkStep } from "../canary/canary-steps.ts";
import { around } from "../steps.ts";

const unreadable: MetricLogin = {
  source: "the secret",
  get: () => Promise.reject(new SecretUnreadable("the secret is not readable: AccessDenied")),
  forget: () => undefined,
};

interface Case {
  readonly kind: QueryKind;
  readonly field: string;
  /** At a server that answers 401. */
  readonly address: (host: string) => string;
  readonly login: MetricLogin | null;
  readonly reason: string;
}

const cloudWatch = "cloudWatch: { metricDataQueries: [{ id: a, expression: 1 + 1 }] }";
const web = 'web: { url: "https://m.example/", jsonPath: $.a }';

// What a Job needs is in analyze-job.test.ts.
const cases = {
  prometheus: [
    { field: "query: up", address: (host) => `http://${host}`, login: null, reason: "answered 401" },
    { field: "query: up", address: (host) => `http://${host}`, login: unreadable, reason: "not readable" },
    { field: "query: up", address: () => "amp://eu-west-1/ws-1", login: null, reason: "no credentials here" },
  ],
  cloudwatch: [{ field: cloudWatch, address: () => "eu-west-1", login: null, reason: "no credentials here" }],
  web: [
    { field: web, address: (host) => `http://${host}/`, login: null, reason: "answered 401" },
    { field: web, address: (host) => `http://${host}/`, login: unreadable, reason: "not readable" },
  ],
} satisfies Readonly<Record<QueryKind, readonly Omit<Case, "kind">[]>>;

const all = Object.entries(cases).flatMap(([kind, rows]) => rows.map((row) => ({ ...row, kind: kind as QueryKind })));

test.for<Case>(all)(
  "$kind without credentials ($reason) proves nothing",
  async ({ kind, field, address, login, reason }) => {
    await using server = await startScriptedServer((_, response) => response.writeHead(401).end());
    const ports = around(canaryWorkload({ policy: { analysis: "it" } }), {
      analyses: { it: `noDataTimeout: 5m\nmetrics:\n  - name: rate\n    ${field}\n    threshold: 1\n` },
    });
    const access = {
      login,
      kubeConfig: () => Promise.reject(new Error("no cluster here")),
      credentials: () =>
        Promise.reject(Object.assign(new Error("no credentials here"), { name: "CredentialsProviderError" })),
      now: () => noon,
    };
    const opened = {
      ...ports,
      metricProvider: async () => openAdapter({ kind, address: address(server.host) }, access),
    };
    const results: string[] = [];
    const notes: (string | null)[] = [];
    for (let minute = 0; minute < 15 && results.at(-1) !== "withdraw"; minute++) {
      results.push((await analyzeCanary(opened, checkStep)).kind);
      notes.push(...(ports.cluster.get().analysis?.measurements ?? []).map(({ note }) => note));
      ports.pass(60);
    }
    expect(new Set(results)).toEqual(new Set(["running", "withdraw"]));
    expect(notes.join("\n")).toContain(reason);
  },
);
