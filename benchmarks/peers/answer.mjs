// Answers for cc-safety-net, warm, in one node process: the same protocol as answer.py, timed by performance.now().
//
//     node answer.mjs FOLDER_OF_THE_PACKAGE

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const home = process.argv[2];
const say = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);

function timed(checkCommand, command) {
  const started = performance.now();
  let said;
  try {
    said = checkCommand({ command, cwd: process.cwd() }).kind;
  } catch (error) {
    said = `raised ${error.name}`;
  }
  return [(performance.now() - started) * 1000, said];
}

try {
  const { version, exports } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const { checkCommand } = await import(pathToFileURL(join(home, exports["./api"].import)));
  say({ version });
  for await (const line of createInterface({ input: process.stdin })) {
    say(JSON.parse(line).map((command) => timed(checkCommand, command)));
  }
} catch (error) {
  say({ absent: `${error.name}: ${error.message}` });
}
