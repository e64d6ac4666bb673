import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const file = path.join(import.meta.dirname, 'limit-heap-growth.ts');

/** Keeps the newest thousands of many short texts, as the journal of a busy mock does, and prints the bytes of the heap. */
const busy = `
  const kept = [];
  for (let nth = 0; nth < 150_000; nth++) {
    kept[nth % 3000] = { text: JSON.stringify(Array(200).fill(nth)) };
    if (nth % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  console.log(process.memoryUsage().heapTotal);
`;

const heapBytesAfter = (script: string): number =>
  Number(execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }));

test('V8 takes less than half of the memory for what lives shortly', () => {
  const limited = `(await import(${JSON.stringify(file)})).limitHeapGrowth();${busy}`;
  expect(heapBytesAfter(limited)).toBeLessThan(heapBytesAfter(busy) / 2);
});
