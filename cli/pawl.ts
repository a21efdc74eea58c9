import { enableCompileCache } from "node:module";

// Compiled code is kept between runs: half of the start-up otherwise goes into compiling it again.
enableCompileCache();

// Whoever reads the output may stop reading, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

const { run } = await import("./program.ts");
await run(process.argv.slice(2));
