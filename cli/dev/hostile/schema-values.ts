/** Values of a JSON Schema, one in twelve of them invalid: another type, a boundary, or an odd text. */
import * as fc from 'fast-check';
import { oddJson, oddText } from '../../../mock/testing/every-operation/odd-values.ts';

/** The keywords that documents and `/_mock` formats use. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema | false;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly maxLength?: number;
}

const MAX_DEPTH = 6;
const ODD_EVERY = 12;

const oddName = fc.constantFrom('__proto__', 'constructor', 'toString', '', 'a', '\u0000', 'x'.repeat(1000));
const instants = fc.constantFrom(
  '2026-11-21T07:00:00Z',
  '1970-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '2026-02-29T24:00:00+14:00',
  'now',
  '+1h',
);

/** `root` is what `$ref` points into. */
export function schemaValues(schema: object, root: object): fc.Arbitrary<unknown> {
  const known = new Map<Schema, Map<number, fc.Arbitrary<unknown>>>();

  function valuesOf(each: Schema, depth: number): fc.Arbitrary<unknown> {
    const byDepth = known.get(each) ?? new Map<number, fc.Arbitrary<unknown>>();
    known.set(each, byDepth);
    const found = byDepth.get(depth);
    if (found !== undefined) return found;
    const valid = depth > MAX_DEPTH ? fc.constant(null) : validValues(each, depth);
    const made = fc.oneof({ weight: ODD_EVERY - 1, arbitrary: valid }, oddJson);
    byDepth.set(depth, made);
    return made;
  }

  function validValues(each: Schema, depth: number): fc.Arbitrary<unknown> {
    if (each.$ref !== undefined) return valuesOf(at(root, each.$ref), depth + 1);
    if (each.const !== undefined) return fc.constant(each.const);
    if (each.enum !== undefined) return fc.constantFrom(...each.enum);
    const choices = each.anyOf ?? each.oneOf;
    if (choices !== undefined) return fc.oneof(...choices.map((one) => valuesOf(one, depth)));
    if (each.allOf !== undefined) return merged(each.allOf.map((one) => validValues(one, depth)));
    const type = [each.type ?? (each.properties ? 'object' : 'any')].flat();
    return fc.oneof(...type.map((one) => valuesOfType(one, each, depth)));
  }

  function valuesOfType(type: string, each: Schema, depth: number): fc.Arbitrary<unknown> {
    if (type === 'object') return objects(each, depth);
    if (type === 'array')
      return fc.array(each.items ? valuesOf(each.items, depth + 1) : oddJson, { maxLength: 4, size: 'max' });
    if (type === 'string') return texts(each);
    if (type === 'number' || type === 'integer') return numbers(each);
    if (type === 'boolean') return fc.boolean();
    return type === 'null' ? fc.constant(null) : oddJson;
  }

  function objects({ properties = {}, required = [], additionalProperties }: Schema, depth: number) {
    const members = Object.entries(properties).map(([name, each]) => [name, valuesOf(each, depth + 1)] as const);
    const own = fc.record(Object.fromEntries(members), { requiredKeys: required.filter((name) => name in properties) });
    const values = typeof additionalProperties === 'object' ? valuesOf(additionalProperties, depth + 1) : oddJson;
    const free = members.length === 0 || typeof additionalProperties === 'object' ? 3 : 1;
    const others = fc.dictionary(fc.oneof(oddName, fc.constantFrom('a', 'b', 'demo-agent')), values, { maxKeys: free });
    const isOpen = members.length === 0 || typeof additionalProperties === 'object';
    return merged([own, fc.oneof({ weight: isOpen ? 1 : 20, arbitrary: fc.constant({}) }, others)]);
  }

  return valuesOf(schema, 0);
}

const merged = (parts: readonly fc.Arbitrary<unknown>[]): fc.Arbitrary<unknown> =>
  fc.tuple(...parts).map((values) => Object.assign({}, ...(values as object[])) as object);

function at(root: object, reference: string): Schema {
  const names = reference.replace(/^#\/?/, '').split('/').filter(Boolean);
  return names.reduce((above, name) => (above as Record<string, object>)[name] ?? {}, root);
}

function texts({ pattern, format, maxLength }: Schema): fc.Arbitrary<string> {
  if (format === 'date-time') return instants;
  const longest = maxLength === undefined || maxLength > 100_000 ? 64 : maxLength;
  const boundary = fc.constantFrom('a'.repeat(longest), 'a'.repeat(longest + 1));
  const named = fc.constantFrom('demo-agent', 'demo', 'a', 'x-1', '1h', 'http://127.0.0.1:1/', '* * * * *');
  const matching = pattern === undefined ? named : textsMatching(pattern, named);
  return fc.oneof(
    { weight: 6, arbitrary: matching },
    { weight: 1, arbitrary: boundary },
    { weight: 1, arbitrary: oddText },
  );
}

/** Not all patterns can be generated: those with assertions have another source of texts. */
function textsMatching(pattern: string, otherwise: fc.Arbitrary<string>): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'), { size: 'small' });
  } catch {
    return otherwise;
  }
}

function numbers({ type, minimum, exclusiveMinimum, maximum }: Schema): fc.Arbitrary<number> {
  const least = minimum ?? exclusiveMinimum ?? 0;
  const most = Math.max(least, maximum ?? 1000);
  const boundary = fc.constantFrom(least, most, least - 1, most + 1, 2 ** 31, 2 ** 53, -0, 1e21);
  const min = Math.min(Math.ceil(least), 2 ** 31 - 1);
  const usual = fc.integer({ min, max: Math.max(min, Math.min(Math.floor(most), 2 ** 31 - 1)) });
  const broken =
    type === 'integer' ? boundary : fc.oneof(boundary, fc.double({ noNaN: true, noDefaultInfinity: true }));
  return fc.oneof({ weight: 3, arbitrary: usual }, { weight: 1, arbitrary: broken });
}
