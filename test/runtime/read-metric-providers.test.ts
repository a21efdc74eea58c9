import { describe, expect, test } from "vitest";
import { readSettings } from "../../functions/runtime/read-settings.ts";

const secretArn = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:x";
const read = (environment: Readonly<Record<string, string>>) => readSettings(environment).metricProviders;
const withLogins = (prometheus: string, ...logins: readonly object[]) =>
  read({ PAWL_PROMETHEUS: prometheus, PAWL_METRIC_LOGINS: JSON.stringify(logins) });

test("the addresses of each provider are read, in their order", () => {
  const { prometheus, cloudwatch } = read({
    PAWL_PROMETHEUS: "service://m/prom:web/x/, https://p.example:443/",
    PAWL_CLOUDWATCH_REGIONS: "eu-central-1, us-gov-west-1",
  });
  expect(prometheus).toMatchObject([
    { address: "service://m/prom:web/x", scope: "service://m/prom:web", login: null },
    { address: "https://p.example", scope: "https://p.example", login: null },
  ]);
  expect(cloudwatch.map(({ address }) => address)).toEqual(["eu-central-1", "us-gov-west-1"]);
});

test("a login is for all addresses of its origin, and for no other", () => {
  const { prometheus } = withLogins(
    "https://p.example/a,https://p.example/b,https://p.example:8443,http://127.0.0.1:9090",
    { address: "https://p.example/c", secretArn },
    { address: "http://127.0.0.1:9090", file: "/token" },
  );
  expect(prometheus.map(({ login }) => login)).toMatchObject([{ secretArn }, { secretArn }, null, { file: "/token" }]);
});

describe("a problem is", () => {
  test.for([
    {
      when: "a login in clear text",
      read: () => withLogins("http://p.example", { address: "http://p.example", secretArn }),
      message: "PAWL_METRIC_LOGINS: http://p.example would receive the login in clear text",
    },
    {
      when: "a login for CloudWatch",
      read: () =>
        read({
          PAWL_CLOUDWATCH_REGIONS: "eu-west-1",
          PAWL_METRIC_LOGINS: JSON.stringify([{ address: "eu-west-1", secretArn }]),
        }),
      message: "PAWL_METRIC_LOGINS: CloudWatch in eu-west-1 has no login",
    },
    ...["{", "{}", '[{"address":"https://p.example"}]', '[{"address":"https://p.example","secretArn":5}]'].map(
      (text) => ({
        when: text,
        read: () => read({ PAWL_METRIC_LOGINS: text }),
        message: "PAWL_METRIC_LOGINS is invalid; use a JSON list of {address, secretArn}",
      }),
    ),
  ])("$when", ({ read: attempt, message }) => {
    expect(attempt).toThrow(
      expect.objectContaining({ name: "SettingsInvalid", message: expect.stringContaining(message) }),
    );
  });
});
