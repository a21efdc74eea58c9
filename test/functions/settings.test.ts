import { describe, expect, test } from "vitest";
import { readSettings } from "../../functions/settings.ts";

const required = { PAWL_STATE_MACHINE_ARN: "arn:machine", PAWL_EVENT_BUS_NAME: "pawl" };

test("what must be set is enough", () => {
  expect(readSettings(required)).toEqual({
    stateMachineArn: "arn:machine",
    eventBusName: "pawl",
    kubeconfig: null,
    context: null,
    namespaces: null,
    insecureRegistries: [],
    dockerConfig: null,
    runtimeImages: {},
  });
});

test("everything that can be set is read", () => {
  const settings = readSettings({
    ...required,
    PAWL_KUBECONFIG: "/etc/kubeconfig",
    PAWL_CONTEXT: "production",
    PAWL_NAMESPACES: "shop, agents,",
    PAWL_INSECURE_REGISTRIES: "localhost:5000",
    PAWL_DOCKER_CONFIG: "/etc/docker.json",
    PAWL_RUNTIME_IMAGES: "openclaw=mirror.example/openclaw,other=mirror.example/a=b",
  });
  expect(settings).toMatchObject({
    kubeconfig: "/etc/kubeconfig",
    context: "production",
    namespaces: ["shop", "agents"],
    insecureRegistries: ["localhost:5000"],
    dockerConfig: "/etc/docker.json",
    runtimeImages: { openclaw: "mirror.example/openclaw", other: "mirror.example/a=b" },
  });
});

test("what is empty is not set", () => {
  const empty = { PAWL_KUBECONFIG: "", PAWL_CONTEXT: "", PAWL_NAMESPACES: " , ", PAWL_RUNTIME_IMAGES: "" };
  expect(readSettings({ ...required, ...empty })).toEqual(readSettings(required));
});

describe("problems", () => {
  test.for([
    {
      when: "nothing is set",
      environment: {},
      says: "PAWL_STATE_MACHINE_ARN is not set; PAWL_EVENT_BUS_NAME is not set",
    },
    {
      when: "one is empty",
      environment: { ...required, PAWL_EVENT_BUS_NAME: "" },
      says: "PAWL_EVENT_BUS_NAME is not set",
    },
    {
      when: "some are missing and some cannot be read",
      environment: { PAWL_EVENT_BUS_NAME: "pawl", PAWL_RUNTIME_IMAGES: "openclaw,=x,ok=y" },
      says:
        "PAWL_STATE_MACHINE_ARN is not set; " +
        'PAWL_RUNTIME_IMAGES "openclaw": write runtime=repository, separated by commas; ' +
        'PAWL_RUNTIME_IMAGES "=x": write runtime=repository, separated by commas',
    },
  ])("are all said at once where $when", ({ environment, says }) => {
    expect(() => readSettings(environment)).toThrow(
      expect.objectContaining({ name: "SettingsInvalid", message: says }),
    );
  });
});
