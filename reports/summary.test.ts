import { expect, test } from 'vitest';
import type { Report } from '../spec/verdicts.ts';
import { FAILED_RULE, HOSTILE_RULE, sampleReport } from './html/sample-run.ts';
import { codeSpan, codeBlock, escapeProse } from './markdown.ts';
import { SKIPPED } from './unmet-needs.ts';
import { toSummary } from './summary.ts';

const report = sampleReport();
const summary = toSummary(report, 'out/r');

/** The Markdown without the content of fences and code spans (CommonMark 4.5, 6.1). */
const outsideCode = (markdown: string): string =>
  markdown.replaceAll(/^(`{3,}).*\n[\s\S]*?\n\1$/gm, '').replaceAll(/(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, '');

test('the verdict comes first, then failures, then areas', () => {
  expect(summary).toMatch(/^## Conformance failed: \d+ of \d+ must rules tried/);
  const places = [`### failed \` ${FAILED_RULE} \``, '### Errors', '| area | passed |', '<details>'].map((part) =>
    summary.indexOf(part),
  );
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
});

test('a failure has its input, expected, actual, and two commands, replay first', () => {
  for (const part of [
    '- input: days 7',
    '- expected: ` resolution daily `',
    '- actual: ` hourly `',
    `\`\`\`sh\nnpx --no assay replay out/r ${FAILED_RULE} --target FILE --allow write\ncurl -sS -i 'http://127.0.0.1:1/`,
  ])
    expect(summary).toContain(part);
});

test('what was wrong before the run comes before the failures', () => {
  const warning = 'credentials.member is refused: GET /accounts returned 401.';
  const text = toSummary({ ...report, run: { ...report.run, warnings: [warning] } }, 'out/r');
  expect(text).toContain(`### Fix first\n\n- \` ${warning} \``);
  expect(text.indexOf('### Fix first')).toBeLessThan(text.indexOf('### failed'));
  expect(summary).not.toContain('Fix first');
});

test('leftovers are listed, if there are any', () => {
  const left = ['Not removed: a [b](c) (made by createVpc), because deleteVpc was answered 405.'];
  expect(toSummary({ ...report, left }, 'out/r')).toContain(`### Not removed from the target\n\n- \` ${left[0]} \``);
  expect(summary).not.toContain('Left at the target');
});

const saying = (hostile: string): Report => ({
  ...report,
  target: { ...report.target, name: hostile },
  requirements: report.requirements.map((result) =>
    result.id === HOSTILE_RULE
      ? {
          ...result,
          counterexample: { input: hostile, seed: 1, path: '', curl: hostile, expected: hostile, actual: hostile },
        }
      : result,
  ),
  observations: report.observations.map((each) => ({ ...each, what: hostile, saw: hostile })),
});

test.each([
  ['markup', '<img src=x onerror=y></details>'],
  ['ticks', 'a ` b `` c ``` d\n```\n# evil\n'],
  ['a heading', '\n\n# evil\n'],
  ['a table', '| evil |\n| --- |'],
  ['a link and a mention', '[evil](https://evil.example) @evil'],
])('%s of a target stays text', (_, hostile) => {
  const rest = outsideCode(toSummary(saying(hostile), 'out/r'));
  for (const mark of ['<img', '# evil', '| evil', '[evil]', '@evil', '://evil']) expect(rest).not.toContain(mark);
});

test('the coverage is omitted if some rules were not selected', () => {
  const [first, ...others] = report.requirements;
  const skipped = { ...first!, verdict: 'not-tried' as const, reason: SKIPPED };
  expect(summary).toContain('documented elements exercised');
  expect(toSummary({ ...report, requirements: [skipped, ...others] }, 'out/r')).not.toContain('documented elements');
});

test('a summary never exceeds the limit of GitHub', () => {
  const huge = '€'.repeat(100_000);
  const requirements = report.requirements.map((result) => ({
    ...result,
    verdict: 'failed' as const,
    counterexample: { input: huge, seed: 1, path: '', curl: huge, expected: huge, actual: huge },
  }));
  const text = toSummary({ ...report, requirements }, 'out/r');
  expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024);
  expect(text).toContain(`… and ${requirements.length - 50} more failed`);
});

test('code spans and fences are longer than any run of backticks inside', () => {
  expect(codeSpan('a``b')).toBe('``` a``b ```');
  expect(codeSpan('')).toBe('_(empty)_');
  expect(codeBlock('sh', '```\nx')).toBe('````sh\n```\nx\n````');
});

test('prose is escaped', () => {
  expect(escapeProse('1. a_b <i> @you & c')).toBe(String.raw`1\. a\_b &#60;i&#62; &#64;you &#38; c`);
  for (const mark of '#`[]()*_|~:!<>&@')
    expect(escapeProse(mark)).toBe('<>&@'.includes(mark) ? `&#${mark.charCodeAt(0)};` : `\\${mark}`);
  expect(escapeProse('\n# a')).toBe(String.raw`\\n\# a`);
});
