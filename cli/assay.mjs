#!/usr/bin/env node
// Starts the command on a Node that can run it; says which one is needed on any other. Must itself load on old ones.
import module from 'node:module';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const NEEDED = [24, 18];
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  process.stderr.write(
    `assay needs Node ${NEEDED.join('.')} or newer; this is ${process.versions.node} (${process.execPath}).\n` +
      'In a checkout, `npm start` and `npx assay` bring their own after `npm ci`.\n',
  );
  process.exitCode = 2;
} else {
  module.enableCompileCache?.();
  // Nobody reads any more, as in `assay rules | head`: what the command does still goes on to its end.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error) => {
      if (error.code !== 'EPIPE') throw error;
    });
  // Node strips no types below node_modules: the package carries JavaScript, a checkout only TypeScript.
  const checkout = new URL('./main.ts', import.meta.url);
  const built = new URL('../dist/cli/main.js', import.meta.url);
  const { main } = await import(existsSync(fileURLToPath(checkout)) ? checkout.href : built.href);
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    // Ours to set right. Not Node's own 1, which would say that a rule failed.
    process.stderr.write(`assay erred: ${error?.stack ?? error}\n`);
    process.exitCode = 3;
  }
}
