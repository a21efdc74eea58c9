import { appendFileSync } from "node:fs";
import type { Reporter, TestModule, TestSuite } from "vitest/node";

/** Writes failures of `beforeAll` and `afterAll` to the file `PAWL_HOOK_ERRORS`, one a line: the JSON report has not all of them. */
export default class HookErrors implements Reporter {
  onTestSuiteResult(suite: TestSuite): void {
    write(suite, suite.module.moduleId, suite.fullName);
  }

  onTestModuleEnd(file: TestModule): void {
    // A file without tests did not load, which the JSON report does have.
    if (!file.children.allTests().next().done) write(file, file.moduleId, "the file");
  }
}

function write(scope: TestModule | TestSuite, file: string, name: string): void {
  const path = process.env["PAWL_HOOK_ERRORS"];
  if (path === undefined) return;
  for (const { message } of scope.errors())
    appendFileSync(path, `FAILED ${file}: a hook of ${name}: ${message.split("\n")[0]}\n`);
}
