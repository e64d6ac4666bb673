/** metrics.parameters.edge-cases: unusual queries, and whether they are refused. */
import type { FixedWhat, ObservedValue } from '../../../spec/observations/observation.ts';
import { parseInstant } from '../../../spec/rfc3339.ts';
import type { Context } from '../../pipeline/context.ts';
import type { Choices } from '../../state/choices.ts';
import { editReply, isTo, refuse, respond, withQuery } from '../effects.ts';
import { cannot, isSameValue, layered, type Follow, type Given, type Layer, type Row, type RowsOf } from '../row.ts';

const ID = 'metrics.parameters.edge-cases';
type Value = ObservedValue<FixedWhat<typeof ID>>;
type Success = Extract<Value, { entries: string }>;
type IsOne = (query: URLSearchParams) => boolean;
type Edit = (query: URLSearchParams, value: Success) => void;

const isMetrics = isTo('getAccountMetrics');
const matching =
  (isOne: IsOne) =>
  (ctx: Context): boolean =>
    isMetrics(ctx) && isOne(new URLSearchParams(ctx.querystring));

const success = (more: Partial<Success> = {}): Success => ({
  status: 200,
  resolution: 'hourly',
  entries: 'one',
  by: [],
  buckets: 24,
  ...more,
});
const DAY = success();
const by = (...names: readonly string[]): Success => success({ entries: 'several', by: names });
const BY_TYPE = by('resourceType');
const BY_BOTH = by('billingDimension', 'resourceType');

const isSuccess = (value: Value): value is Success => 'entries' in value;
const ONE_WAY = 'the mock responds in one way only';
const METRICS = 'a success of the mock has metrics';

/** Sets the error of the refusal to the observed one. */
const named = (matches: (ctx: Context) => boolean, status: number, error: string | undefined): Layer =>
  editReply(
    (ctx, reply) => reply.status === status && matches(ctx),
    (body) => {
      const { error: _, ...rest } = body as { error?: unknown };
      return { ...(error !== undefined && { error }), ...rest };
    },
  );

interface Refusal {
  readonly status: number;
  readonly error?: string | undefined;
}

/** Changes the refusal of the mock, which has status 400. */
function changeRefusal(isOne: IsOne, { status, error }: Refusal): Follow {
  if (status < 300) return cannot(METRICS);
  const matches = matching(isOne);
  const as = respond((ctx, reply) => reply.status === 400 && matches(ctx), { status });
  return layered((app) => as(named(matches, 400, error)(app)));
}

const refuseAs = (matches: (ctx: Context) => boolean, { status, error }: Refusal): Follow =>
  status < 300 ? cannot(METRICS) : layered((app) => named(matches, status, error)(refuse(matches, status)(app)));

/** A query that the mock refuses; to follow a success, it responds as to the query after `clean`. */
const refused = (
  isOne: IsOne,
  clean: Edit,
  successes: (given: Given) => readonly Success[] = () => [DAY],
): Row<Value> => ({
  own: { status: 400, error: 'invalid_request' },
  follow: (value, given) => {
    if (!isSuccess(value)) return changeRefusal(isOne, value);
    if (!successes(given).some((each) => isSameValue(each, value)))
      return cannot('the mock would respond as to the corrected query, which has another form');
    return layered(withQuery(matching(isOne), (query) => clean(query, value)));
  },
});

const accepted = (isOne: IsOne, own: Success = DAY): Row<Value> => ({
  own,
  follow: (value) => (isSuccess(value) ? cannot(ONE_WAY) : refuseAs(matching(isOne), value)),
});

/** If hourly buckets follow the calendar, a day that begins between two hours has a shorter bucket at both ends. */
const unaligned = ({ metrics }: Choices): Success =>
  success({ buckets: metrics.cuts.hourly.at === 'startTime' ? 24 : 25 });

const TIMES = ['startTime', 'endTime'];

const times =
  (pattern: RegExp): IsOne =>
  (query) =>
    TIMES.some((name) => pattern.test(query.get(name) ?? ''));

const editTimes =
  (edit: (text: string) => string): Edit =>
  (query) => {
    for (const name of TIMES) query.set(name, edit(query.get(name) ?? ''));
  };

/** With Z: offsets have rows of their own. */
function inUtc(text: string): string {
  const instant = parseInstant(text);
  return instant === undefined ? text : new Date(instant).toISOString().replace('.000Z', 'Z');
}

const isEmpty =
  (name: string): IsOne =>
  (query) =>
    query.get(name) === '';
const remove =
  (name: string): Edit =>
  (query) =>
    query.delete(name);
const empty = (name: string): Row<Value> => refused(isEmpty(name), remove(name));
const isRepeated =
  (name: string): IsOne =>
  (query) =>
    query.getAll(name).length > 1;

const namesIn = (query: URLSearchParams): string[] => (query.get('groupBy') ?? '').split(',');

function setGroupBy(query: URLSearchParams, names: readonly string[]): void {
  if (names.length === 0) query.delete('groupBy');
  else query.set('groupBy', names.join(','));
}

const cleanNames: Edit = (query) => {
  const names = namesIn(query).map((name) => name.trim());
  setGroupBy(
    query,
    names.filter((name) => name !== ''),
  );
};

/** Which of the values count, according to the fields of the entries. */
const keepGroupBy: Edit = (query, value) => {
  const fieldOf = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  setGroupBy(
    query,
    query.getAll('groupBy').filter((name) => value.by.includes(fieldOf(name))),
  );
};

/** Of windows that end after now. */
const future = (startsLater: boolean): Row<Value> => ({
  own: success({ buckets: 48 }),
  follow: (value) => {
    if (isSuccess(value)) return cannot(ONE_WAY);
    return refuseAs((ctx) => {
      const query = new URLSearchParams(ctx.querystring);
      const [start = 0, end = 0] = TIMES.map((name) => parseInstant(query.get(name) ?? '') ?? 0);
      const now = ctx.state.world.clock.now();
      return isMetrics(ctx) && end > now && start > now === startsLater;
    }, value);
  },
});

const PARAMETERS = [
  ...TIMES,
  'resolution',
  'groupBy',
  'workspace',
  'resourceType',
  'resourceName',
  'resourceUuid',
  'billingDimension',
  'limit',
  'cursor',
  'label',
  'unit',
];
/** The parameter that a name in other letter case stands for. */
const otherCase = (name: string): string | undefined =>
  PARAMETERS.includes(name) ? undefined : PARAMETERS.find((known) => known.toLowerCase() === name.toLowerCase());

const hasOtherCase: IsOne = (query) => [...query.keys()].some((name) => otherCase(name) !== undefined);
const inKnownCase = (query: URLSearchParams): void => {
  for (const [name, value] of query.entries().toArray()) {
    const known = otherCase(name);
    if (known !== undefined) query.set(known, value);
  }
};

const FRACTIONS = 'fractions .123456789';
const isEmptyWindow: IsOne = (query) => {
  const [start, end] = TIMES.map((name) => parseInstant(query.get(name) ?? ''));
  return start !== undefined && start === end;
};

export const edgeCaseRows: RowsOf<typeof ID> = {
  'startTime equal to endTime': {
    own: { status: 400, error: 'invalid_request' },
    follow: (value) => {
      if (!isSuccess(value)) return changeRefusal(isEmptyWindow, value);
      return isSameValue(value, success({ buckets: 0 }))
        ? { choices: { metrics: { emptyWindow: 'accepted' } } }
        : cannot('the mock would respond with no buckets');
    },
  },
  'offset +00:00': accepted(times(/\+00:00$/)),
  'offset -00:00': accepted(times(/-00:00$/)),
  'offset +02:00': accepted(times(/[+-](?!00:00$)(?:[01]\d|2[0-3]):[0-5]\d$/)),
  'offset +0000, without its colon': refused(
    times(/[+-]\d{4}$/),
    editTimes((text) => inUtc(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))),
  ),
  'lower-case t and z': accepted(times(/[tz]/)),
  'a space instead of T': refused(
    times(/^\S+ \S+$/),
    editTimes((text) => text.replace(' ', 'T')),
  ),
  'fractions .000': accepted(times(/\.0+(?!\d)/)),
  [FRACTIONS]: { ...accepted(times(/\.\d*[1-9]/)), own: ({ chosen }) => unaligned(chosen) },
  'a comma before the fraction': refused(
    times(/,\d/),
    editTimes((text) => text.replace(',', '.')),
    ({ chosen, valueAt }) => (valueAt(ID, FRACTIONS)?.status === 200 ? [unaligned(chosen)] : []),
  ),
  'leap second': accepted(times(/:60(?!\d)/)),
  'spaces around the timestamps': refused(
    times(/^\s|\s$/),
    editTimes((text) => text.trim()),
  ),
  'a window in the future': future(true),
  'a window that ends in the future': future(false),
  'limit 0': refused(
    (query) => /^0+$/.test(query.get('limit') ?? ''),
    remove('limit'),
    () => [BY_TYPE],
  ),
  'empty limit': empty('limit'),
  'empty resolution': empty('resolution'),
  'empty groupBy': empty('groupBy'),
  'only a comma in groupBy': refused(
    (query) => namesIn(query).length > 1 && namesIn(query).every((name) => name === ''),
    cleanNames,
  ),
  'a comma after the last dimension': refused(
    (query) => /[^,],$/.test(query.get('groupBy') ?? ''),
    cleanNames,
    () => [BY_TYPE],
  ),
  'an empty name between commas': refused(
    (query) => /[^,],,+[^,]/.test(query.get('groupBy') ?? ''),
    cleanNames,
    () => [BY_BOTH],
  ),
  'empty workspace': empty('workspace'),
  'empty resourceType': empty('resourceType'),
  'empty billingDimension': empty('billingDimension'),
  'empty cursor': refused(isEmpty('cursor'), remove('cursor'), () => [BY_TYPE]),
  'spaces around the commas of groupBy': refused(
    (query) => namesIn(query).some((name) => name !== name.trim()),
    cleanNames,
    () => [BY_BOTH],
  ),
  'groupBy repeated as a parameter': refused(isRepeated('groupBy'), keepGroupBy, () => [DAY, BY_TYPE, BY_BOTH]),
  'startTime repeated': refused(
    (query) => TIMES.some((name) => isRepeated(name)(query)),
    editTimes((text) => text),
  ),
  'resolution repeated with other values': refused(
    isRepeated('resolution'),
    (query, { resolution }) => {
      const [first = '', ...others] = query.getAll('resolution');
      query.set('resolution', resolution === first ? first : (others.at(-1) ?? first));
    },
    () => [DAY, success({ resolution: 'daily', buckets: 1 })],
  ),
  'an unknown parameter': accepted((query) =>
    [...query.keys()].some((name) => !PARAMETERS.includes(name) && otherCase(name) === undefined),
  ),
  'a parameter in other letter case': {
    own: DAY,
    follow: (value) => {
      if (!isSuccess(value)) return refuseAs(matching(hasOtherCase), value);
      return isSameValue(value, BY_TYPE) ? layered(withQuery(matching(hasOtherCase), inKnownCase)) : cannot(ONE_WAY);
    },
  },
};
