/** The types that the package exports next to startMock, for docs/mock.md. Fails if a type belongs to no group. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../../..');
const ENTRY = 'mock/start-mock.ts';
const EXPORTS = 'mock/exported-types.ts';
const RESPONSES = 'mock/server/control/views.ts';
const DOCUMENTS = 'spec/generated/types.ts';

const named: Readonly<Record<string, readonly string[]>> = {
  'Options of `startMock`': ['MockOptions', 'WorldName', 'Time', 'TlsFiles', 'ServedRequest'],
  'Recorded traffic for the option `replay`': ['ReplayedTraffic', 'ReplayedExchange', 'ReplayedResponse'],
  'Its result': ['RunningMock', 'MockTarget', 'Addresses'],
  'Further worlds of a mock': ['NewWorld', 'MockWorld'],
  'Calls of a mock or world': [
    'MockControl',
    'RequestFilter',
    'ResourceFilter',
    'InvocationFilter',
    'Wait',
    'FaultRule',
    'ScriptedResponse',
    'Verification',
    'VerificationError',
    'TokenRequest',
    'DeploymentOutcome',
  ],
  'World files': ['WorldFile', 'WorldExtension'],
  'Target files': ['TargetFile', 'KnownResources'],
  'Reports and known failures': ['Report', 'RuleResult', 'Summary', 'Counterexample', 'Observation', 'KnownFailure'],
};

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const declaredIn = (file: string): string[] =>
  [...read(file).matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = '']) => name);

export function typeList(): string {
  const text = read(EXPORTS);
  const listed = [...text.matchAll(/^export type \{([^}]+)\}/gm)].flatMap(
    ([, names = '']) => names.match(/\w+/g) ?? [],
  );
  const files = [...text.matchAll(/^export type \* from '([^']+)'/gm)].map(([, file = '']) => path.join('mock', file));
  const own = [...read(ENTRY).matchAll(/^export (?:interface|class|type|\{) ?(\w+)/gm)].map(([, name = '']) => name);
  requireSame([...own, ...listed], Object.values(named).flat());
  requireSame(files, [RESPONSES, DOCUMENTS]);
  return [
    ...Object.entries(named).map(([of, names]) => item(of, names)),
    item('Responses of `/_mock`', declaredIn(RESPONSES)),
    item(
      'Resources, requests and responses, as in the OpenAPI documents',
      declaredIn(DOCUMENTS).filter((name) => !listed.includes(name)),
    ),
  ].join('\n');
}

const item = (of: string, names: readonly string[]): string =>
  `- ${of}: ${names.map((name) => `\`${name}\``).join(', ')}`;

function requireSame(exported: readonly string[], described: readonly string[]): void {
  const different = [...new Set(exported).symmetricDifference(new Set(described))];
  if (different.length > 0)
    throw new Error(`${EXPORTS} and cli/dev/docs/type-list.ts differ in ${different.join(', ')}.`);
}
