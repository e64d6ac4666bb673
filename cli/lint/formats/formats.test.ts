import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import ruleset from '../../../spec/ruleset/index.mjs';
import type { LintedDocument, LintFinding, LintReport } from '../finding.ts';
import { nothingRecognized } from '../recognized.ts';
import { describeRules } from '../ruleset/describe-rules.ts';
import { Ruleset } from '../spectral.ts';
import { github } from './github.ts';
import { json } from './json.ts';
import { junit } from './junit.ts';
import { sarif as sarifIn } from './sarif.ts';
import { stylish } from './stylish.ts';

const finding: LintFinding = {
  rule: 'name-length',
  severity: 'error',
  message: 'A name of 50%, "<a> & b",\nor\u0007 more.',
  pointer: '/components/schemas/A',
  source: 'docs/my api.yaml',
  start: { line: 3, column: 5 },
  end: { line: 4, column: 1 },
  requirements: ['naming.name.at-most-49'],
};
const lack: LintFinding = { ...finding, rule: 'coverage', severity: 'info', message: 'The document has no GET /a.' };

const rules = describeRules(new Ruleset(ruleset));
const nothing: LintedDocument = {
  document: 'clean.yaml',
  isLinted: true,
  rules,
  recognized: nothingRecognized,
  findings: [],
  coverage: [],
  operations: {},
};

const report: LintReport = {
  documents: [
    {
      ...nothing,
      document: 'docs/my api.yaml',
      recognized: {
        resources: [{ name: 'Gadget', pointer: '/components/schemas/Gadget', reason: 'GET /gadgets returns it' }],
        collections: [{ path: '/gadgets', operations: ['list GET /gadgets', 'create POST /gadgets'] }],
      },
      findings: [finding],
      coverage: [lack],
      operations: { host: { shown: 3, covered: 1 } },
    },
    nothing,
  ],
  failSeverity: 'hint',
  known: 2,
  stale: [{ rule: 'labels', at: '#/x', message: 'Gone.' }],
};
const clean: LintReport = { documents: [nothing], failSeverity: 'hint', known: 0, stale: [] };
/** The finding of the report has this severity, and only errors fail the run. */
const lenient = (severity: LintFinding['severity']): LintReport => ({
  ...report,
  documents: [{ ...nothing, findings: [{ ...finding, severity }] }],
  failSeverity: 'error',
});

interface SarifRule {
  id: string;
  helpUri?: string;
  help: { text: string; markdown: string };
}

const sarif = (each: LintReport): string => sarifIn(each, { folder: path.resolve('/repository') });
const REFERENCE = path.join('spec/ruleset/README.md');

const root = path.join(import.meta.dirname, '../../..');
const packageJson = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { homepage: string };

/** The published schema is of draft 4, whose words for itself later drafts do not know. */
function sarifSchema(): Record<string, unknown> {
  const file = createRequire(import.meta.url).resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
  const { $schema: _draft, id: _id, ...schema } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  return schema;
}

const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
(addFormats as unknown as (ajv: Ajv) => void)(ajv);
const isSarif = ajv.compile(sarifSchema());

test.each([
  ['findings and coverage', report],
  ['nothing', clean],
])('SARIF of %s fits the schema of SARIF 2.1.0', (_what, each) => {
  const log: unknown = JSON.parse(sarif(each));
  expect({ fits: isSarif(log), errors: isSarif.errors }).toEqual({ fits: true, errors: null });
});

test('the schema of SARIF refuses a result without a message', () => {
  const log = JSON.parse(sarif(report)) as { runs: { results: Record<string, unknown>[] }[] };
  delete log.runs[0]?.results[0]?.['message'];
  expect(isSarif(log)).toBe(false);
});

test('the same cause in two documents has two fingerprints', () => {
  const fingerprintsOf = (...documents: string[]) => {
    const findings = documents.map((source) => ({ ...finding, source, cause: 'A cause.' }));
    const log = JSON.parse(
      sarif({
        ...report,
        documents: report.documents
          .slice(0, 1)
          .flatMap((each) =>
            documents.map((document, index) => ({ ...each, document, findings: findings.slice(index, index + 1) })),
          ),
      }),
    ) as { runs: { results: { partialFingerprints: object }[] }[] };
    return log.runs[0]?.results.map(({ partialFingerprints }) => Object.values(partialFingerprints)[0]);
  };
  const [one, other] = fingerprintsOf('a.yaml', 'b.yaml') ?? [];
  expect(one).not.toBe(other);
  expect(fingerprintsOf('a.yaml')).toEqual([one]);
});

test('a SARIF result has its rule, its position, and a fingerprint that does not depend on the position', () => {
  const result = (each: LintFinding) => {
    const [document] = report.documents;
    const log = JSON.parse(
      sarif({ ...report, documents: document === undefined ? [] : [{ ...document, findings: [each] }] }),
    ) as {
      runs: { tool: { driver: { rules: { id: string }[] } }; results: Record<string, unknown>[] }[];
    };
    const [run] = log.runs;
    return { result: run?.results[0], rules: run?.tool.driver.rules };
  };
  const { result: first, rules: described } = result(finding);
  expect(described?.[first?.['ruleIndex'] as number]?.id).toBe('name-length');
  expect(first).toMatchObject({
    level: 'error',
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: 'docs/my%20api.yaml', uriBaseId: '%SRCROOT%' },
          region: { startLine: 3, startColumn: 5 },
        },
      },
    ],
  });
  const moved = result({ ...finding, start: { line: 9, column: 9 }, end: { line: 9, column: 9 } }).result;
  expect(moved?.['partialFingerprints']).toEqual(first?.['partialFingerprints']);
  const other = result({ ...finding, pointer: '/else' }).result;
  expect(other?.['partialFingerprints']).not.toEqual(first?.['partialFingerprints']);
});

test('missing parts are a property of the SARIF run, not results', () => {
  const { runs } = JSON.parse(sarif(report)) as { runs: { results: { ruleId: string }[]; properties: object }[] };
  expect(runs[0]?.results.map(({ ruleId }) => ruleId)).toEqual(['name-length']);
  expect(runs[0]?.properties).toEqual({ coverage: [lack.message] });
});

test('every SARIF rule has its documentation, ours with examples, and no address that leads nowhere', () => {
  const { runs } = JSON.parse(sarif(report)) as { runs: { tool: { driver: { rules: SarifRule[] } } }[] };
  const described = runs[0]?.tool.driver.rules ?? [];
  expect(described).toHaveLength(rules.length + 4);
  expect(described.filter(({ helpUri }) => helpUri !== undefined)).toEqual([]);
  expect(described.filter(({ help }) => help.text === '')).toEqual([]);
  const { help } = described.find(({ id }) => id === 'name-length') as SarifRule;
  expect(help.markdown).toMatch(
    /^A name .*\n\nChecks `naming\.name\.at-most-49`\.\n\nGood:\n\n```yaml\n# .*\n\nBad:\n\n```yaml\n/s,
  );
  expect(help.text).toContain('Good:\n\n# components › schemas › Metadata');
  expect(help.text).not.toContain('```');
});

test('SARIF names the tool, the folder of relative paths, and files elsewhere by file URLs', () => {
  const sources = ['docs/my api.yaml', path.resolve('/else/#1.yaml'), 'https://example.com/a.yaml'];
  const findings = sources.map((source) => ({ ...finding, source }));
  const log = JSON.parse(sarif({ ...clean, documents: [{ ...nothing, findings }] })) as {
    runs: {
      tool: { driver: { informationUri: string } };
      originalUriBaseIds: object;
      results: { locations: { physicalLocation: { artifactLocation: object } }[] }[];
    }[];
  };
  expect(isSarif(log)).toBe(true);
  const [run] = log.runs;
  expect(run?.tool.driver.informationUri).toBe(packageJson.homepage);
  expect(run?.originalUriBaseIds).toEqual({
    '%SRCROOT%': { uri: pathToFileURL(path.resolve('/repository')).href + '/' },
  });
  expect(run?.results.map(({ locations }) => locations[0]?.physicalLocation.artifactLocation)).toEqual([
    { uri: 'docs/my%20api.yaml', uriBaseId: '%SRCROOT%' },
    { uri: pathToFileURL(path.resolve('/else/#1.yaml')).href },
    { uri: 'https://example.com/a.yaml' },
  ]);
});

test('a rule of a user has its own documentation in SARIF, or none', () => {
  const own = [
    { id: 'mine', description: 'Mine.', requirements: [], helpUri: 'https://example.com/rules#mine' },
    { id: 'other', description: 'Other.', requirements: [] },
  ];
  const text = sarif({ ...clean, documents: [{ ...nothing, rules: own, findings: [{ ...finding, rule: 'other' }] }] });
  const log = JSON.parse(text) as {
    runs: { tool: { driver: { rules: SarifRule[] } }; results: { ruleIndex: number }[] }[];
  };
  expect(isSarif(log)).toBe(true);
  expect(log.runs[0]?.tool.driver.rules.slice(0, 2).map(({ helpUri }) => helpUri)).toEqual([
    own[0]?.helpUri,
    undefined,
  ]);
  expect(log.runs[0]?.results[0]?.ruleIndex).toBe(1);
});

test('JSON contains everything but the rules, and whether the document is clean', () => {
  const documents = report.documents.map(({ rules: _rules, ...document }) => document);
  expect(JSON.parse(json(report))).toEqual({ lint: 1, clean: false, failing: 1, ...report, documents });
  expect(JSON.parse(json(clean))).toMatchObject({ clean: true, failing: 0 });
  expect(JSON.parse(json(lenient('warning')))).toMatchObject({ clean: false, failing: 0 });
});

test('with a severity that fails the run, the text says how many findings count', () => {
  const { rule: _, ...rest } = finding;
  const warning = { ...rest, rule: 'labels', severity: 'warning' as const };
  const mixed = { ...lenient('error'), documents: [{ ...nothing, findings: [finding, warning, warning] }] };
  expect(stylish(mixed, { listsRecognized: false })).toContain('1 of them fails the run (error or worse).');
  expect(stylish({ ...mixed, failSeverity: 'hint' }, { listsRecognized: false })).not.toContain('of them');
});

test('more than 20 findings are also counted by rule', () => {
  const of = (count: number) => {
    const findings = Array.from({ length: count }, (_, index) =>
      index < 2 ? { ...finding, rule: 'labels' } : finding,
    );
    return stylish({ ...clean, documents: [{ ...nothing, findings }] }, { listsRecognized: false });
  };
  expect(of(21)).toContain('By rule: name-length (19), labels (2).');
  expect(of(20)).not.toContain('By rule');
});

test('a finding that does not fail the run is no failure in JUnit', () => {
  expect(junit(lenient('error'))).toContain('failures="1"');
  const text = junit(lenient('warning'));
  expect(text).toContain('failures="0"');
  expect(text).not.toContain('<failure');
  expect(text).toMatch(/name="name-length">\n {6}<system-out><!\[CDATA\[docs\/my api.yaml:3:5 A name/);
});

test('JUnit has a case for each rule, and a failure for one that found something', () => {
  const text = junit(report);
  expect(text.match(/<testcase /g)).toHaveLength(2 * rules.length);
  expect(text.match(/<failure /g)).toHaveLength(1);
  expect(text).toContain(`name="docs/my api.yaml" tests="${rules.length}" failures="1"`);
});

test('JUnit escapes XML syntax, control characters, and line ends, after which a workflow command could begin', () => {
  const text = junit(report);
  expect(text).toContain(`message="A name of 50%, “‹a› ＆ b”,\\nor\\u0007 more."`);
  expect(text).toContain('<![CDATA[docs/my api.yaml:3:5 A name of 50%, "<a> & b",\\nor\\u0007 more.]]>');
});

test('a rule of Spectral itself has its case in JUnit when it found something', () => {
  const [document] = report.documents;
  const broken = { ...finding, rule: 'parser' };
  const text = junit({ ...report, documents: document === undefined ? [] : [{ ...document, findings: [broken] }] });
  expect(text).toContain('name="parser">');
  expect(text).toContain(`tests="${rules.length + 1}" failures="1"`);
});

test('a workflow command is one line, with line ends escaped', () => {
  expect(github(report).split('\n')).toEqual([
    '::error file=docs/my api.yaml,line=3,col=5,endLine=4,endColumn=1,title=name-length::A name of 50%25, "<a> & b",%0Aor\\u0007 more.',
    '::notice file=docs/my api.yaml,line=3,col=5,endLine=4,endColumn=1,title=coverage::The document has no GET /a.',
    '',
  ]);
  expect(
    github({
      ...report,
      documents: [{ ...nothing, findings: [{ ...finding, source: 'a:b,c' }] }],
    }),
  ).toContain('file=a%3Ab%2Cc');
});

/** A finding of each of these rules. */
const each = (...names: string[]): LintReport => ({
  ...clean,
  documents: [{ ...nothing, findings: names.map((rule) => ({ ...finding, rule, message: `Of ${rule}.` })) }],
});
const titles = (text: string): string[] => [...text.matchAll(/title=([^:]*)::/g)].map(([, title = '']) => title);

test('GitHub shows ten annotations of a level, so the tenth counts the others, which follow as text', () => {
  const many = Array.from({ length: 25 }, (_, index) => `rule-${index}`);
  const text = github(each(...many));
  expect(titles(text)).toEqual([...many.slice(0, 9), 'and 16 more']);
  expect(text).toContain('::16 more errors in the log of this step: GitHub shows 10 annotations of a level.\n');
  expect(text).toContain('\n  docs/my api.yaml:3:5 error rule-24 Of rule-24.\n');
  expect(titles(github(each(...many.slice(0, 10))))).toEqual(many.slice(0, 10));
});

test('annotations begin with what others may be a consequence of, then each rule once', () => {
  expect(titles(github(each('labels', 'labels', 'name-length', 'invalid-ref', 'parser')))).toEqual([
    'invalid-ref',
    'parser',
    'labels',
    'name-length',
    'labels',
  ]);
});

test('the places of a cause are related locations in SARIF, and lines in JUnit', () => {
  const more = [{ ...finding, message: 'Another.', start: { line: 7, column: 2 } }];
  const grouped = { ...clean, documents: [{ ...nothing, findings: [{ ...finding, cause: 'name-length', more }] }] };
  const log = JSON.parse(sarif(grouped)) as { runs: { results: { relatedLocations: unknown[] }[] }[] };
  expect({ fits: isSarif(log), errors: isSarif.errors }).toEqual({ fits: true, errors: null });
  expect(log.runs[0]?.results[0]?.relatedLocations).toMatchObject([
    { message: { text: 'Another.' }, physicalLocation: { region: { startLine: 7 } } },
  ]);
  expect(junit(grouped)).toContain('\ndocs/my api.yaml:7:2 Another.');
});

test('with --coverage, the differences are counted among the findings', () => {
  const [document = nothing] = report.documents;
  const listed = { ...document, coverage: [], findings: [{ ...lack, severity: 'warning' as const }] };
  const text = stylish({ ...clean, documents: [listed] }, { listsRecognized: true });
  expect(text).toContain('1 of 3 on host; 1 difference.');
});

test('the text format has findings, coverage, fixed findings and a summary', () => {
  const lines = [
    'docs/my api.yaml',
    String.raw`  3:5  error  name-length  A name of 50%, "<a> & b",\nor\u0007 more.`,
    '',
    'Coverage of the operations that the interface shows: 1 of 3 on host; 1 difference (listed with --coverage).',
    '',
    'Gone, and still in the baseline: 1 finding.',
    '  labels  Gone.  #/x',
    '',
    '1 finding in 2 documents: 1 error, 0 warnings. 2 more in the baseline.',
    `What the rules mean, with examples: ${REFERENCE}`,
    '',
  ];
  expect(stylish(report, { listsRecognized: false })).toBe(lines.join('\n'));
  expect(stylish(clean, { listsRecognized: false })).toBe('No findings in 1 document.\n');
});

test('the text format refers to the reference only for rules that are in it', () => {
  const only = (rule: string): LintReport => ({
    ...clean,
    documents: [{ ...nothing, findings: [{ ...finding, rule }] }],
  });
  const listed = (rule: string) => stylish(only(rule), { listsRecognized: false }).includes(REFERENCE);
  expect(['name-length', 'parser', 'invalid-ref', 'team-rule'].map(listed)).toEqual([true, false, false, false]);
});

test('the text format says of a document of another API that this is normal', () => {
  const other: LintReport = { ...clean, documents: [{ ...nothing, coverage: [lack] }] };
  expect(stylish(other, { listsRecognized: false })).toBe(
    'Coverage: none of the operations belong to the interface, which is normal for another API.\n\nNo findings in 1 document.\n',
  );
});

test('the text format lists what was recognized, and why', () => {
  const text = stylish(report, { listsRecognized: true });
  expect(text).toContain('Recognized 1 resource:\n  Gadget  GET /gadgets returns it\n');
  expect(text).toContain('Recognized 1 collection:\n  /gadgets  list GET /gadgets, create POST /gadgets\n');
  expect(stylish(clean, { listsRecognized: true })).toContain('Recognized 0 resources.\n\nRecognized 0 collections.\n');
});

test('the text format says that no finding fails the run', () => {
  expect(stylish(lenient('hint'), { listsRecognized: false })).toContain(
    '1 finding in 1 document: 0 errors, 0 warnings, 1 hint. None is severe enough to fail the run (error or worse).',
  );
});

test('the text format ends many findings with the most frequent rules and the way to a baseline', () => {
  const many = (rule: string, length: number) => Array.from({ length }, () => ({ ...finding, rule }));
  const textOf = (...documents: (typeof nothing)[]) => stylish({ ...clean, documents }, { listsRecognized: false });
  const text = (...findings: LintFinding[]) => textOf({ ...nothing, findings });
  expect(text(...many('labels', 20), ...many('name-length', 31))).toContain(
    'By rule: name-length (31), labels (20).\nTo report only new findings from now on: --write-baseline FILE',
  );
  expect(text(...many('labels', 50))).not.toContain('To report only');
  expect(textOf({ ...nothing, findings: many('labels', 51) }, nothing)).not.toContain('To report only');
});
