/** Changes one random member of a JSON value, such as a snapshot. */
import * as fc from 'fast-check';

export interface Mutation {
  /** The first keys of the path. */
  readonly start: readonly string[];
  /** Below them, which child of each level is descended into, modulo their number. */
  readonly choices: readonly number[];
  readonly change: Change;
}

interface Change {
  /** `resemble`: replace by a value of the same type, if there is one. */
  readonly kind: 'replace' | 'resemble' | 'remove' | 'repeat' | 'rename';
  /** Which value replaces it, modulo their number. */
  readonly value: number;
}

const NOW = Date.parse('2026-11-21T07:00:00Z');
const values: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1,
  7,
  1.5,
  3_600_000,
  NOW,
  1e300,
  -1e300,
  Number.MAX_SAFE_INTEGER,
  8_640_000_000_000_000,
  -8_640_000_000_000_000,
  '',
  'x',
  'a/b',
  'demo',
  'delete',
  'demo-agent',
  '1h',
  '* * * * *',
  'cron',
  '__proto__',
  '\ud800',
  '2026-02-30T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '(',
  'x'.repeat(5000),
  [],
  [null],
  [[]],
  ['x'],
  [{}],
  {},
  { '': null },
  { name: 'x' },
];

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom('replace', 'resemble', 'resemble', 'resemble', 'remove', 'repeat', 'rename'),
  value: fc.nat({ max: 1_000_000 }),
});

/** How deep a snapshot is nested. */
const MAX_DEPTH = 12;

/** Members with most of what a world computes with. */
const starts = ['resources', 'resources', 'lifetimes', 'inference', 'sandboxes', 'lifecycles'];

export const mutations: fc.Arbitrary<Mutation> = fc.record({
  choices: fc
    .integer({ min: 1, max: MAX_DEPTH })
    .chain((depth) => fc.array(fc.nat({ max: 1_000_000 }), { minLength: depth, maxLength: depth })),
  start: fc.constantFrom<readonly string[]>([], ...starts.map((name) => [name])),
  change,
});

type Container = Record<string, unknown> | unknown[];

/** A copy of the value, and what was changed in it, for messages. */
export function mutated(
  value: unknown,
  { start, choices, change: how }: Mutation,
): { value: unknown; description: string } {
  const copy = structuredClone(value);
  const path: string[] = [...start];
  let parent = start.slice(0, -1).reduce<Container>((at, key) => (at as never)[key], copy as Container);
  for (const choice of choices) {
    const below: unknown = path.length === 0 ? parent : (parent as never)[path.at(-1)!];
    if (typeof below !== 'object' || below === null || Object.keys(below).length === 0) break;
    parent = below as Container;
    const keys = Object.keys(parent);
    path.push(keys[choice % keys.length]!);
  }
  const [key = ''] = path.slice(-1);
  const before: unknown = (parent as never)[key];
  const replacement = replacementOf(before, how);
  applyChange(parent, key, how.kind, replacement);
  const changeText =
    how.kind.startsWith('re') && how.kind !== 'remove' ? `${how.kind} ${JSON.stringify(replacement)}` : how.kind;
  return {
    value: copy,
    description: `${path.join(' . ')} (${JSON.stringify(before)?.slice(0, 60)}): ${changeText.slice(0, 60)}`,
  };
}

function replacementOf(before: unknown, { kind, value }: Change): unknown {
  const isSimilar = (other: unknown) =>
    typeof other === typeof before && Array.isArray(other) === Array.isArray(before);
  const similar = kind === 'resemble' ? values.filter(isSimilar) : [];
  const from = similar.length > 0 ? similar : values;
  return from[value % from.length];
}

function applyChange(parent: Container, key: string, kind: Change['kind'], replacement: unknown): void {
  const isReplaced = kind === 'replace' || kind === 'resemble';
  if (Array.isArray(parent)) {
    const index = Number(key);
    if (isReplaced) parent[index] = replacement;
    else if (kind === 'repeat') parent.push(structuredClone(parent[index]));
    else parent.splice(index, 1);
    return;
  }
  const before = parent[key];
  if (isReplaced) return void (parent[key] = replacement);
  if (kind !== 'repeat') delete parent[key];
  if (kind !== 'remove') parent[`${key}-2`] = before;
}
