import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { spawnPawl } from "../../cli/run-pawl.ts";
import { startPrivatePrometheus } from "../../support/real/real-prometheus.ts";
import { selfSigned } from "../../support/real/self-signed.ts";

describe("a real Prometheus that requires TLS and a login", () => {
  const stack = new AsyncDisposableStack();
  let prometheus: Awaited<ReturnType<typeof startPrivatePrometheus>>;
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "pawl-login-"));
    stack.defer(() => rm(directory, { recursive: true }));
    const metrics = [{ name: "one", query: "vector(1)", threshold: 1 }];
    await writeFile(join(directory, "analysis.json"), JSON.stringify({ metrics }));
    await writeFile(join(directory, "ca.pem"), selfSigned.cert);
    prometheus = stack.use(await startPrivatePrometheus("pawl", "first"));
  });

  afterAll(() => stack.disposeAsync());

  /** Runs `pawl analyze` once; without a password, without a login. */
  async function analyze(password: string | null, ca: string = "ca.pem") {
    const file = join(directory, "login.json");
    await writeFile(file, JSON.stringify({ username: "pawl", password }));
    const login = password === null ? [] : ["--metric-login", `${prometheus.url}=${file}`];
    const args = ["analyze", join(directory, "analysis.json"), "--prometheus", prometheus.url, "--once", ...login];
    return spawnPawl(args, { env: { NODE_EXTRA_CA_CERTS: join(directory, ca) } });
  }

  test("is queried with it", async () => {
    expect(await analyze("first")).toMatchObject({ status: 0, stderr: "" });
  });

  test.for([
    { login: null, fix: "answered 401; no login is configured for it" },
    { login: "wrong", fix: "answered 401; correct the login in" },
  ])("refuses the login $login, and the message says: $fix", async ({ login, fix }) => {
    expect(await analyze(login)).toMatchObject({ status: 3, stdout: "", stderr: expect.stringContaining(fix) });
  });

  test("gets no login if its certificate is not trusted", async () => {
    const { status, stdout } = await analyze("first", "none.pem");
    expect(status).toBe(3);
    expect(stdout).toContain("does not answer (DEPTH_ZERO_SELF_SIGNED_CERT)");
  });

  test("accepts only the new password after a change", async () => {
    await prometheus.setPassword("second");
    expect([(await analyze("first")).status, (await analyze("second")).status]).toEqual([3, 0]);
  });
});
