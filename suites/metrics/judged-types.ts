/** The resource types of windows in anybody's traffic, against each other and against the metrics. */
import { headerNames } from '../../spec/brand.ts';
import { instantOf } from '../expect/instant.ts';
import type { Judged } from '../judge/judgement.ts';
import { serverTimeOf, type Facts, type Seen } from '../judge/seen.ts';
import { fieldsOf } from '../json/fields.ts';
import { seenWalk } from '../kit/metrics/seen-metrics.ts';
import { isPlain, isSameCaller, isSettled, windowIn } from '../kit/metrics/seen-query.ts';
import type { SeenWindow } from '../kit/metrics/seen-query.ts';
import { DAY } from '../kit/metrics/windows.ts';
import type { Mismatch } from '../target/violation.ts';
import { entriesOf } from './pages.ts';

const MAX_REMEMBERED = 50;

interface SeenTypes {
  readonly seen: Seen;
  readonly window: SeenWindow;
  readonly types: readonly unknown[];
}

/** Undefined unless it is a list for a plain query. */
function typesIn(seen: Seen, facts: Facts): readonly unknown[] | undefined {
  if (seen.status !== 200 || !isPlain(seen, facts)) return undefined;
  const values = fieldsOf(seen.json)?.['values'];
  return Array.isArray(values) ? values : undefined;
}

function settled(seen: Seen, types: readonly unknown[] | undefined): SeenTypes | undefined {
  const window = windowIn(seen);
  return window !== undefined && types !== undefined && isSettled(seen) ? { seen, window, types } : undefined;
}

const isOfSame = (one: Seen, other: Seen, { brand }: Facts): boolean =>
  one.path['accountId'] === other.path['accountId'] &&
  one.header(headerNames(brand).workspace) === other.header(headerNames(brand).workspace) &&
  isSameCaller(one, other);

const isSameWindow = ({ window: one }: SeenTypes, { window: other }: SeenTypes): boolean =>
  one.start === other.start && one.end === other.end;

const missingIn = (some: readonly unknown[], { seen: { exchange }, types }: SeenTypes): Mismatch[] =>
  some
    .filter((type) => !types.includes(type))
    .map((type) => ({ expected: JSON.stringify(type), actual: JSON.stringify(types), exchange }));

/** Types with cost, from a whole query grouped by them alone. */
function meteredTypes(seen: Seen, facts: Facts): SeenTypes | undefined {
  const isGroupedByType = seen.parameter('groupBy') === 'resource_type';
  const isFiltered = seen.query.some(([name]) => /^(workspace|resource|billing)/.test(name));
  const walk = isGroupedByType && !isFiltered ? seenWalk(seen, facts) : undefined;
  const metered = walk && entriesOf(walk.pages).filter(({ summary }) => summary.cost > 0);
  return settled(
    seen,
    metered?.map(({ resourceType }) => resourceType),
  );
}

export function judgeTypesAgainstData(facts: Facts): (seen: Seen) => Judged {
  const remembered: { readonly listed: SeenTypes[]; readonly metered: SeenTypes[] } = { listed: [], metered: [] };
  return (seen) => {
    const isList = seen.operation.id === 'listMetricsResourceTypes';
    const types = isList ? typesIn(seen, facts) : undefined;
    const own = isList ? settled(seen, types) : meteredTypes(seen, facts);
    if (isList && seen.status === 200 && isPlain(seen, facts) && types === undefined)
      return [{ expected: 'values, an array', actual: 'none', exchange: seen.exchange }];
    const repeated = (types ?? []).filter((type, at) => typeof type !== 'string' || types!.indexOf(type) !== at);
    const invalid = repeated.map((type) => ({
      expected: 'distinct strings',
      actual: JSON.stringify(type),
      exchange: seen.exchange,
    }));
    if (own === undefined) return types && invalid;
    const others = remembered[isList ? 'metered' : 'listed'].filter(
      (each) => isSameWindow(each, own) && isOfSame(each.seen, seen, facts),
    );
    const missing = others.flatMap((other) => (isList ? missingIn(other.types, own) : missingIn(own.types, other)));
    const list = remembered[isList ? 'listed' : 'metered'];
    list.push(own);
    if (list.length > MAX_REMEMBERED) list.shift();
    return isList || others.length > 0 ? [...invalid, ...missing] : undefined;
  };
}

/** Nothing that is metered existed before. */
const FIRST_METERED = Date.UTC(2010, 0);

/** Whether nothing can be metered in the window: it is long ago or in the future, or ends before it starts. */
function isEmptyWindow(seen: Seen): boolean {
  const [start, end] = [instantOf(seen.parameter('startTime')), instantOf(seen.parameter('endTime'))];
  if (start === undefined || end === undefined) return false;
  return end < start || end <= FIRST_METERED || start > (serverTimeOf(seen) ?? Infinity) + DAY;
}

export function judgeTypesByWindow(facts: Facts): (seen: Seen) => Judged {
  const remembered: SeenTypes[] = [];
  return (seen) => {
    const types = typesIn(seen, facts);
    if (types === undefined) return undefined;
    const { exchange } = seen;
    if (isEmptyWindow(seen))
      return types.length === 0 ? [] : [{ expected: 'no values', actual: JSON.stringify(types), exchange }];
    const own = settled(seen, types);
    if (own === undefined) return undefined;
    const mismatches = remembered.flatMap((each) =>
      isOfSame(each.seen, seen, facts) ? [...missingInWider(each, own), ...missingInWider(own, each)] : [],
    );
    remembered.push(own);
    if (remembered.length > MAX_REMEMBERED) remembered.shift();
    return mismatches;
  };
}

const missingInWider = (inner: SeenTypes, outer: SeenTypes): Mismatch[] =>
  outer.window.start <= inner.window.start && inner.window.end <= outer.window.end ? missingIn(inner.types, outer) : [];
