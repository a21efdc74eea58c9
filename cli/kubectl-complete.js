#!/usr/bin/env node
// kubectl runs `kubectl_complete-pawl` with the words after `kubectl pawl`, the last of which is to be completed.
process.argv.splice(2, 0, "completion", "kubectl", "--");
await import("./pawl.js");
