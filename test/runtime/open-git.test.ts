import { expect, test } from "vitest";
import { createGitOpener } from "../../functions/runtime/open-git.ts";
import { noon } from "../support/workloads.ts";

const access = {
  apiUrl: null,
  repository: "shop/config",
  branch: "main",
  appSecretArn: "arn:aws:secretsmanager:eu-west-1:123456789012:secret:pawl/github-a1B2c3",
  paths: ["apps/*"],
};

test("a repository is opened once by its name, and only by the function that has its secret", async () => {
  const open = createGitOpener(
    [
      { name: "config", access },
      { name: "enterprise", access: { ...access, apiUrl: "https://github.example.com/api/v3" } },
      { name: "other", access: null },
    ],
    { aws: {}, now: () => noon },
  );
  const config = await open("config");
  expect(config).toMatchObject({ name: "config", mode: "commit" });
  expect(await open("config")).toBe(config);
  expect(await open("enterprise")).toMatchObject({ name: "enterprise" });
  expect([await open("other"), await open("unknown")]).toEqual([null, null]);
});
