/** SARIF 2.1.0, the form that code scanning reads; what a document lacks of the interface is there as notes. */
import { createHash } from 'node:crypto';
import { rules } from '../../../spec/ruleset/rules/index.mjs';
import { assayVersion } from '../../command-line/package-info.ts';
import { entryOf, keyOf } from '../baseline.ts';
import type { LintFinding, LintReport } from '../finding.ts';

/** Findings that do not come from the rules of the ruleset. */
const OTHERS = [
  { id: 'parser', description: 'The document can be read.', requirements: [] },
  { id: 'invalid-ref', description: 'Every reference leads somewhere.', requirements: [] },
  { id: 'coverage', description: 'The document has what the interface shows.', requirements: [] },
];

const descriptors = [...rules, ...OTHERS].map(({ id, description, requirements }) => ({
  id,
  shortDescription: { text: description },
  properties: { requirements },
}));

export function sarif({ documents }: LintReport): string {
  const results = documents.flatMap(({ document, findings, coverage }) =>
    [...findings, ...coverage].map((each) => result(each, document)),
  );
  const driver = { name: 'assay', version: assayVersion, rules: descriptors };
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function result(finding: LintFinding, document: string) {
  const { rule, severity, message, source, start, end, requirements, pointer } = finding;
  const region = { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column };
  const physicalLocation = { artifactLocation: { uri: uriOf(source) }, region };
  return {
    ruleId: rule,
    ruleIndex: descriptors.findIndex(({ id }) => id === rule),
    level: severity,
    message: { text: message },
    locations: [{ physicalLocation, logicalLocations: [{ fullyQualifiedName: pointer }] }],
    partialFingerprints: { 'assayFinding/v1': fingerprint(finding, document) },
    properties: { requirements },
  };
}

/** The same for a finding that only moved. */
const fingerprint = (finding: LintFinding, document: string): string =>
  createHash('sha256')
    .update(keyOf(entryOf(finding, document)))
    .digest('hex')
    .slice(0, 32);

const uriOf = (source: string): string =>
  /^https?:\/\//.test(source) ? source : source.split('/').map(encodeURIComponent).join('/');
