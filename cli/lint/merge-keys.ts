/** Corrects what Spectral's parser of YAML makes of the merge key `<<`: it reads no tag `!!merge`, and the last of two equal keys wins. */
import { Parsers } from './spectral.ts';

type Ast = NonNullable<ReturnType<(typeof Parsers.Yaml)['parse']>['ast']>;

/** A node of the parser, whose types do not tell its kinds apart. */
interface Node {
  readonly kind: number;
  readonly value?: unknown;
  readonly plainScalar?: boolean;
  readonly key?: Node | null;
  readonly mappings?: readonly Node[];
  readonly items?: readonly (Node | null)[];
}

const KIND = { scalar: 0, map: 2, sequence: 3, alias: 4 } as const;
const MERGE = '<<';

/** The text without the tag of merge keys, which is optional. Nothing else moves. */
export const withoutMergeTags = (text: string): string =>
  text.replaceAll(
    /!!merge([ \t]+)<<(?=[ \t]*:)/g,
    (_, space: string) => MERGE + ' '.repeat('!!merge'.length + space.length),
  );

/** The data of a document in which a key stands before `<<`, and wins (YAML merge key, 2005). Undefined if there is none. */
export function mergedData(ast: Ast | undefined, text: string): unknown {
  const root = ast as Node | undefined;
  return text.includes(MERGE) && hasLateMerge(root) ? dataOf(root) : undefined;
}

function hasLateMerge(root: Node | null | undefined): boolean {
  const waiting: (Node | null | undefined)[] = [root];
  for (let node = waiting.pop(); waiting.length > 0 || node !== undefined; node = waiting.pop()) {
    const { mappings = [], items = [] } = node ?? {};
    if (mappings.findIndex(isMerge) > 0) return true;
    waiting.push(...items, ...mappings.map(valueOf));
  }
  return false;
}

const keyOf = ({ key }: Node): string => String(key?.value);
const valueOf = ({ value }: Node): Node | null => (value ?? null) as Node | null;
const isMerge = (mapping: Node): boolean => keyOf(mapping) === MERGE;

function dataOf(node: Node | null | undefined): unknown {
  switch (node?.kind) {
    case KIND.map:
      return mapOf(node.mappings ?? []);
    case KIND.sequence:
      return (node.items ?? []).map(dataOf);
    case KIND.alias:
      return dataOf(valueOf(node));
    case KIND.scalar:
      return node.plainScalar === true ? Parsers.Yaml.parse(String(node.value)).data : String(node.value);
    default:
      return null;
  }
}

/** Own keys win over merged ones, and the first of several merged maps over the others. */
function mapOf(mappings: readonly Node[]): Record<string, unknown> {
  const merged = mappings
    .filter(isMerge)
    .flatMap((each) => dataOf(valueOf(each)))
    .toReversed();
  const own = mappings.filter((each) => !isMerge(each)).map((each) => [keyOf(each), dataOf(valueOf(each))] as const);
  return Object.assign({}, ...merged, Object.fromEntries(own)) as Record<string, unknown>;
}
