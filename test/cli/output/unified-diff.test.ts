import { expect, test } from "vitest";
import { unifiedDiff } from "../../../cli/output/unified-diff.ts";

const ten = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10";

test.for([
  { when: "equal texts", before: ten, after: ten, diff: "" },
  { when: "a changed line", before: "a\nb\nc", after: "a\nx\nc", diff: "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n" },
  { when: "an added line at the end", before: "a", after: "a\nb", diff: "@@ -1,1 +1,2 @@\n a\n+b\n" },
  { when: "a removed line at the start", before: "a\nb", after: "b", diff: "@@ -1,2 +1,1 @@\n-a\n b\n" },
  {
    when: "two hunks",
    before: ten,
    after: ten.replace("1\n", "x\n").replace("10", "y"),
    diff: "@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n 4\n@@ -7,4 +7,4 @@\n 7\n 8\n 9\n-10\n+y\n",
  },
])("$when", ({ before, after, diff }) => {
  expect(unifiedDiff(before, after)).toBe(diff);
});
