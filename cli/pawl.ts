import { enableCompileCache } from "node:module";

// Caches compiled code between runs: compiling it takes half of the start-up.
enableCompileCache();

// The reader of stdout may close it, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

// Started by `pawl.js` under another Node: ends as by SIGTERM if that process is killed. The channel keeps no command from ending.
const end = () => process.kill(process.pid, "SIGTERM");
process.once("disconnect", end);
process.channel?.unref();
if ("connected" in process && !process.connected) end();

const { run } = await import("./program.ts");
await run(process.argv.slice(2));
