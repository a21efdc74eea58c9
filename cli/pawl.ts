import { enableCompileCache } from "node:module";

// Caches compiled code between runs: compiling it takes half of the start-up.
enableCompileCache();

// The reader of stdout may close it, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

const { run } = await import("./program.ts");
await run(process.argv.slice(2));
