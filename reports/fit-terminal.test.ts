import { expect, test } from 'vitest';
import { fitTerminal, textWidth } from './fit-terminal.ts';

const terminal = { isTTY: true, columns: 60 };
const LONG = 'Checks the addresses, the credentials, and the roles of every caller of the target';

test('a pipe gets whole lines', () => {
  expect(fitTerminal(LONG, {})).toBe(LONG);
  expect(fitTerminal(LONG, { isTTY: false, columns: 40 })).toBe(LONG);
});

test('a long line breaks between words, and continues indented', () => {
  expect(fitTerminal(`short\n  ${LONG}`, terminal)).toBe(
    'short\n  Checks the addresses, the credentials, and the roles of\n    every caller of the target',
  );
});

test('a row of a table continues in its last column', () => {
  expect(fitTerminal(`passed  role of admin  ${LONG}`, terminal).split('\n')).toEqual([
    'passed  role of admin  Checks the addresses, the',
    '                       credentials, and the roles of every',
    '                       caller of the target',
  ]);
});

test('if its last column is too narrow, a row continues in an earlier one', () => {
  const path = '/accounts/acc-demo/metrics/enums/group-by';
  expect(fitTerminal(`passed  role of admin  accepted (GET ${path} returned 200)`, terminal).split('\n')).toEqual([
    'passed  role of admin  accepted (GET',
    `        ${path} returned`,
    '        200)',
  ]);
});

test('text that is indented too deep gets less of its indent', () => {
  expect(fitTerminal(`${' '.repeat(50)}→ ${LONG}`, terminal)).toMatch(/^ {36}→ Checks the\n {38}addresses,/);
});

test.each(['npx --no assay doctor --target', 'curl -sS -i'])(
  'the command %s stays on its line, to be pasted',
  (command) => {
    const line = `Edit the file: ${command} ${'x'.repeat(30)} ${'y'.repeat(30)}`;
    expect(fitTerminal(line, terminal)).toBe(line);
  },
);

test.each([
  [{}, 80],
  [{ isTTY: false, columns: 50 }, 80],
  [{ isTTY: true }, 80],
  [{ isTTY: true, columns: 200 }, 80],
  [{ isTTY: true, columns: 50 }, 50],
  [{ isTTY: true, columns: 10 }, 40],
])('text for %j is %i columns wide', (out, width) => expect(textWidth(out)).toBe(width));
