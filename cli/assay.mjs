#!/usr/bin/env node
// Starts the command, or says which Node it needs. This file must load on older versions of Node.
import module from 'node:module';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The package contains JavaScript, because Node strips no types below node_modules; a checkout contains only TypeScript.
const checkout = new URL('./main.ts', import.meta.url);
const isCheckout = existsSync(fileURLToPath(checkout));
// Node 22 strips types, but does not know all syntax of the TypeScript in a checkout.
const NEEDED = isCheckout ? [24, 18] : [22, 19];
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  process.stderr.write(
    `assay needs Node ${NEEDED.join('.')} or newer; this is ${process.versions.node} (${process.execPath}).\n` +
      (isCheckout
        ? 'Run `npm ci`, then `npm start` or `npx --no assay`: the checkout brings its own Node.\n'
        : 'Install it, or add it to this project with `npm install --save-dev node@24` and use `npx --no assay`.\n'),
  );
  process.exitCode = 2;
} else {
  module.enableCompileCache?.();
  // Node writes the cache at the end of the process: not if it is killed, as Playwright does with its web servers.
  setTimeout(() => module.flushCompileCache?.(), 1000).unref();
  // If the reader of a pipe exits, as in `assay rules | head`, the command still completes.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error) => {
      if (error.code !== 'EPIPE') throw error;
    });
  const built = new URL('../dist/cli/main.js', import.meta.url);
  const { main } = await import(isCheckout ? checkout.href : built.href);
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    // Not Node's own exit code 1, which means that a rule failed.
    process.stderr.write(`Internal error: ${error?.stack ?? error}\n`);
    process.exitCode = 3;
  }
}
