import { expect, test } from 'vitest';
import ruleset from '../../spec/ruleset/index.mjs';
import { groupByCause } from './causes.ts';
import type { LintedDocument, LintFinding } from './finding.ts';
import { nothingRecognized } from './recognized.ts';
import { describeRules } from './ruleset/describe-rules.ts';
import { Ruleset } from './spectral.ts';

const rules = [
  ...describeRules(new Ruleset(ruleset)),
  { id: 'of-user', description: 'Of a user.', requirements: [], helpUri: 'https://example.com/rules' },
];

function grouped(findings: readonly LintFinding[]): readonly LintFinding[] {
  const linted: LintedDocument = {
    document: 'api.yaml',
    isLinted: true,
    rules,
    recognized: nothingRecognized,
    findings,
    coverage: [],
    operations: {},
  };
  return groupByCause(linted).findings;
}

/** So many findings of a rule, each on its own line. */
const findings = (count: number, rule: string, message: (index: number) => string, source = 'api.yaml') =>
  Array.from({ length: count }, (_, index): LintFinding => {
    const requirements = rules.find(({ id }) => id === rule)?.requirements ?? [];
    const position = { line: index + 1, column: 1 };
    const severity = requirements.length > 0 ? 'error' : 'warning';
    const pointer = `/paths/${index}`;
    return { rule, severity, message: message(index), pointer, source, start: position, end: position, requirements };
  });
const noSummary = (index: number) => `GET /a${index} has no summary.`;
const header = (index: number) => `PUT /a${index} must accept the header Svc-Version.`;

test.each([
  ['three findings of a rule', findings(3, 'operation-summary', noSummary), 3],
  ['a convention that nothing follows', findings(200, 'operation-summary', noSummary), 1],
  ['keys without quotes', findings(200, 'string-keys', (index) => `Quote the key: '${index}'.`), 1],
  ['the same about many operations', findings(200, 'version-header', header), 1],
  ['different errors', findings(20, 'scope-form', (index) => `Unknown scope "a:${index}".`), 20],
  ['a rule of a user with different messages', findings(20, 'of-user', (index) => `Message ${index}.`), 20],
  ['a rule of a user with one message', findings(20, 'of-user', () => 'A message.'), 1],
])('%s', (_what, all, count) => {
  expect(grouped(all)).toHaveLength(count);
});

test('a cause has its first place, says how many others there are, and contains all', () => {
  const [first, ...others] = grouped([
    ...findings(5, 'operation-summary', noSummary),
    ...findings(1, 'operation-summary', noSummary, 'parts.yaml'),
  ]);
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    message: 'GET /a0 has no summary. The same applies 5 more times, such as 2:1, 3:1, 4:1.',
    start: { line: 1, column: 1 },
  });
  expect(first?.more).toHaveLength(5);
  expect(first?.more?.at(-1)).toMatchObject({ source: 'parts.yaml', message: 'GET /a0 has no summary.' });
});

test('few findings of one cause are one if they are at one position, and name the operations', () => {
  const all = findings(3, 'version-header', header);
  const [shared] = all;
  const same = all.map((each) => ({ ...each, start: shared!.start, end: shared!.end }));
  const [elsewhere] = findings(1, 'version-header', header, 'parts.yaml');
  expect(grouped([...same.slice(1), elsewhere!]).map(({ message }) => message)).toEqual([
    'PUT /a1 must accept the header Svc-Version. The same applies to PUT /a2.',
    header(0),
  ]);
  const [first, ...others] = grouped(same);
  expect([first?.message, first?.more?.length, others]).toEqual([
    `${header(0)} The same applies to PUT /a1, PUT /a2.`,
    2,
    [],
  ]);
  const many = findings(6, 'version-header', header).map((each) => ({ ...each, start: shared!.start }));
  expect(grouped(many)[0]?.message).toMatch(/ The same applies to PUT \/a1, PUT \/a2, PUT \/a3 and 2 more\.$/);
});
