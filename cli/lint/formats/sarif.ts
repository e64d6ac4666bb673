/** SARIF 2.1.0 for code scanning; the coverage of the interface is a property of the run. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { assayVersion, homepage } from '../../command-line/package-info.ts';
import { entryOf, keyOf } from '../baseline.ts';
import type { FindingPlace, LintFinding, LintReport, LintRule } from '../finding.ts';
import { isAddress } from '../read-source.ts';
import { STRING_KEYS } from '../string-keys.ts';

/** Findings that do not come from the rules of the ruleset. */
const OTHERS: readonly LintRule[] = [
  {
    id: 'parser',
    description: 'The document can be read.',
    help: 'The document, or a file that it refers to, is valid YAML or JSON. Otherwise no rule is applied to it.',
  },
  {
    id: STRING_KEYS,
    description: 'Every key is a string.',
    help: "YAML reads an unquoted `200` as a number. OpenAPI requires quotes (`'200'`), because JSON has only string keys.",
  },
  {
    id: 'invalid-ref',
    description: 'Every reference leads somewhere.',
    help: 'A reference leads to an existing part of a file that can be read, and not back to itself.',
  },
  {
    id: 'coverage',
    description: 'The document has what the interface shows.',
    help: 'The document describes the operations, parameters, fields and values of the interface, as the interface does.',
  },
].map((each) => ({ ...each, requirements: [] }));

const LEVELS = { error: 'error', warning: 'warning', info: 'note', hint: 'note' } as const;

/** `folder`: what relative paths are relative to. */
export function sarif({ documents }: LintReport, { folder }: { folder: string }): string {
  const rules = [
    ...new Map(documents.flatMap((each) => each.rules).map((each) => [each.id, each])).values(),
    ...OTHERS,
  ];
  const ids = rules.map(({ id }) => id);
  const results = documents.flatMap(({ document, findings }) =>
    findings.map((each) => result(each, document, ids.indexOf(each.rule))),
  );
  const coverage = documents.flatMap((each) => each.coverage).map(({ message }) => message);
  const driver = { name: 'assay', version: assayVersion, informationUri: homepage, rules: rules.map(descriptor) };
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver },
        originalUriBaseIds: { [ROOT]: { uri: pathToFileURL(`${folder}${path.sep}`).href } },
        columnKind: 'utf16CodeUnits',
        results,
        properties: { coverage },
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

/** GitHub requires a full description and help of every rule. */
const descriptor = ({ id, description, requirements, help = description, helpUri }: LintRule) => ({
  id,
  shortDescription: { text: description },
  fullDescription: { text: description },
  help: { text: help.replaceAll(/^```.*\n?/gm, ''), markdown: help },
  ...(helpUri !== undefined && { helpUri }),
  properties: { requirements },
});

/** `ruleIndex`: -1 if the tool does not describe the rule, as SARIF expects. */
function result(finding: LintFinding, document: string, ruleIndex: number) {
  const { rule, severity, message, requirements, more = [] } = finding;
  return {
    ruleId: rule,
    ruleIndex,
    level: LEVELS[severity],
    message: { text: message },
    locations: [locationOf(finding)],
    ...(more.length > 0 && { relatedLocations: more.slice(0, MAX_RELATED).map(relatedLocation) }),
    partialFingerprints: { 'assayFinding/v1': fingerprint(finding, document) },
    properties: { requirements },
  };
}

/** As many as GitHub shows. */
const MAX_RELATED = 100;

function locationOf({ source, start, end, pointer }: FindingPlace) {
  const region = { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column };
  const physicalLocation = { artifactLocation: artifactLocation(source), region };
  return { physicalLocation, logicalLocations: [{ fullyQualifiedName: pointer }] };
}

const relatedLocation = (place: FindingPlace, index: number) => ({
  id: index + 1,
  message: { text: place.message },
  ...locationOf(place),
});

/** The same for a finding that only moved, and for a cause with other places. */
const fingerprint = (finding: LintFinding, document: string): string =>
  createHash('sha256')
    .update(finding.cause === undefined ? keyOf(entryOf(finding, document)) : JSON.stringify([document, finding.cause]))
    .digest('hex')
    .slice(0, 32);

/** The name that code scanning gives the root of the repository. */
const ROOT = '%SRCROOT%';

function artifactLocation(source: string) {
  if (isAddress(source)) return { uri: source };
  if (path.isAbsolute(source)) return { uri: pathToFileURL(source).href };
  return { uri: source.split(path.sep).map(encodeURIComponent).join('/'), uriBaseId: ROOT };
}
