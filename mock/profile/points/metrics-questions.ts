/** metrics.parameters.edge-cases: odd questions, and whether they are answered. */
import type { Context } from '../../pipeline/context.ts';
import { parseInstant } from '../../../spec/rfc3339.ts';
import { answersAs, answersWith, asksWithQuery, isTo, refusesWhen } from '../layers.ts';
import type { Choices } from '../../state/choices.ts';
import { cannot, layered, ofForm, type Given, type Follow, type Layer, type Point, type Points } from '../point.ts';

const ALLOWED =
  'a refusal with its kind of error, as "400 invalid_request", or an answer, as "200, hourly, one entry, 24 buckets"';
const FORM =
  /^(?:(?<status>[45]\d\d)(?: (?<kind>\S.*))?|200, (?<resolution>\w+), (?<entries>one entry|several entries|no entries)(?: by (?<by>[\w, ]+))?, (?<buckets>\d+|no) buckets)$/;

type Saw = Readonly<Record<string, string | undefined>>;
type IsOne = (query: URLSearchParams) => boolean;
type Edit = (query: URLSearchParams, saw: Saw) => void;

const asksMetrics = isTo('getAccountMetrics');
const concerned =
  (isOne: IsOne) =>
  (ctx: Context): boolean =>
    asksMetrics(ctx) && isOne(new URLSearchParams(ctx.querystring));

/** What the question without what is odd is answered, in the words of the case. */
type Answers = (given: Given) => readonly string[];

/** One that the mock refuses with 400; where it is answered, it is as the question without what is odd. */
function refused(isOne: IsOne, plain: Edit, answers: Answers = () => [DAY]): Point {
  return ofForm('400 invalid_request', ALLOWED, FORM, (saw, words, given) => {
    if (saw['status'] !== undefined) return refusedAs(isOne, Number(saw['status']), saw['kind']);
    if (!answers(given).includes(words)) return cannot(OTHERWISE);
    return layered(asksWithQuery(concerned(isOne), (query) => plain(query, saw)));
  });
}

const OTHERWISE = 'the mock would answer that as the question without what is odd, which has another form';

/** The kind of error is what the target says in `error`, if anything. */
const named = (concerns: (ctx: Context) => boolean, status: number, kind: string | undefined): Layer =>
  answersWith(
    (ctx, reply) => reply.status === status && concerns(ctx),
    (body) => {
      const { error: _, ...rest } = body as { error?: unknown };
      return { ...(kind !== undefined && { error: kind }), ...rest };
    },
  );

function refusedAs(isOne: IsOne, status: number, kind: string | undefined): Follow {
  const concerns = concerned(isOne);
  const as = answersAs((ctx, reply) => reply.status === 400 && concerns(ctx), { status });
  return layered((app) => as(named(concerns, 400, kind)(app)));
}

function refuses(concerns: (ctx: Context) => boolean, status: number, kind: string | undefined): Follow {
  return layered((app) => named(concerns, status, kind)(refusesWhen(concerns, status)(app)));
}

/** One that the mock answers, in one way; `also`: in another, with how. */
function answered(own: string, isOne: IsOne, also: Readonly<Record<string, Follow>> = {}): Point {
  return ofForm(own, ALLOWED, FORM, ({ status, kind }, saw) =>
    status === undefined
      ? (also[saw] ?? cannot('the mock answers that in one way'))
      : refuses(concerned(isOne), Number(status), kind),
  );
}

const DAY = '200, hourly, one entry, 24 buckets';
const by = (names: string): string => `200, hourly, several entries by ${names}, 24 buckets`;
const byTypes = () => [by('resourceType')];
const byBoth = () => [by('billingDimension, resourceType')];

/** A day that begins between two hours has a shorter bucket at both ends where buckets are those of the calendar. */
const unaligned = ({ metrics }: Choices): string =>
  metrics.cuts.hourly.at === 'startTime' ? DAY : '200, hourly, one entry, 25 buckets';
const TIMES = ['startTime', 'endTime'];

const timesAre =
  (form: RegExp): IsOne =>
  (query) =>
    TIMES.some((name) => form.test(query.get(name) ?? ''));

const writeTimes =
  (edit: (text: string) => string): Edit =>
  (query) => {
    for (const name of TIMES) query.set(name, edit(query.get(name) ?? ''));
  };

/** Without an offset: offsets are other points. */
function inUtc(text: string): string {
  const instant = parseInstant(text);
  return instant === undefined ? text : new Date(instant).toISOString().replace('.000Z', 'Z');
}

const isEmpty =
  (name: string): IsOne =>
  (query) =>
    query.get(name) === '';
const leaveOut =
  (name: string): Edit =>
  (query) =>
    query.delete(name);
const empty = (name: string): Point => refused(isEmpty(name), leaveOut(name));
const isTwice =
  (name: string): IsOne =>
  (query) =>
    query.getAll(name).length > 1;

const namesIn = (query: URLSearchParams): string[] => (query.get('groupBy') ?? '').split(',');
const cleanNames: Edit = (query) => {
  const names = namesIn(query)
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 0) query.delete('groupBy');
  else query.set('groupBy', names.join(','));
};

/** Which of two values counts, told by what the answer has. */
const keepOne =
  (name: string, isLast: (values: readonly string[], saw: Saw) => boolean): Edit =>
  (query, saw) => {
    const values = query.getAll(name);
    query.set(name, (isLast(values, saw) ? values.at(-1) : values[0]) ?? '');
  };

/** `resource_type` fills resourceType, and so on. */
const keepGroupBy: Edit = (query, saw) => {
  const values = query.getAll('groupBy');
  const fields = (saw['by'] ?? '').split(', ');
  const filled = values.filter((value) =>
    fields.includes(value.replace(/_(\w)/g, (_, sign: string) => sign.toUpperCase())),
  );
  if (filled.length === 0) query.delete('groupBy');
  else query.set('groupBy', filled.join(','));
};

const now = (ctx: Context): number => ctx.state.world.clock.now();

/** Of windows that end behind the clock's now. */
function future(own: string, startsLater: boolean): Point {
  return ofForm(own, ALLOWED, FORM, ({ status, kind }) => {
    if (status === undefined) return cannot('the mock answers that in one way');
    const concerns = (ctx: Context) => {
      const query = new URLSearchParams(ctx.querystring);
      const [start = 0, end = 0] = TIMES.map((name) => parseInstant(query.get(name) ?? '') ?? 0);
      return asksMetrics(ctx) && end > now(ctx) && start > now(ctx) === startsLater;
    };
    return refuses(concerns, Number(status), kind);
  });
}

const KNOWN = [
  'startTime',
  'endTime',
  'resolution',
  'groupBy',
  'workspace',
  'resourceType',
  'resourceName',
  'resourceUuid',
];
const MORE_KNOWN = ['billingDimension', 'limit', 'cursor', 'label', 'unit'];
const known = [...KNOWN, ...MORE_KNOWN];
const inOtherCase = (name: string): boolean =>
  !known.includes(name) && known.some((each) => each.toLowerCase() === name.toLowerCase());

const hasOtherCase: IsOne = (query) => [...query.keys()].some(inOtherCase);

const inKnownCase = (query: URLSearchParams): void => {
  const others = [...query].filter(([name]) => inOtherCase(name));
  for (const [name, value] of others)
    query.set(known.find((each) => each.toLowerCase() === name.toLowerCase()) ?? name, value);
};

const FRACTIONS = 'fractions .123456789';

const isInstant: IsOne = (query) => {
  const [start, end] = TIMES.map((name) => parseInstant(query.get(name) ?? ''));
  return start !== undefined && start === end;
};
const EMPTY = '200, hourly, one entry, 0 buckets';

export const edgeCasePoints: Points = {
  'startTime equal to endTime': ofForm('400 invalid_request', ALLOWED, FORM, ({ status, kind }, saw) => {
    if (status !== undefined) return refusedAs(isInstant, Number(status), kind);
    return saw === EMPTY ? { choices: { metrics: { emptyWindow: 'answered' } } } : cannot(OTHERWISE);
  }),
  'offset +00:00': answered(DAY, timesAre(/\+00:00$/)),
  'offset -00:00': answered(DAY, timesAre(/-00:00$/)),
  'offset +02:00': answered(DAY, timesAre(/[+-](?!00:00$)(?:[01]\d|2[0-3]):[0-5]\d$/)),
  'offset +0000, without its colon': refused(
    timesAre(/[+-]\d{4}$/),
    writeTimes((text) => inUtc(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))),
  ),
  'lower-case t and z': answered(DAY, timesAre(/[tz]/)),
  'a blank in place of T': refused(
    timesAre(/^\S+ \S+$/),
    writeTimes((text) => text.replace(' ', 'T')),
  ),
  'fractions .000': answered(DAY, timesAre(/\.0+(?!\d)/)),
  [FRACTIONS]: {
    ...answered('200, hourly, one entry, 25 buckets', timesAre(/\.\d*[1-9]/)),
    ownWith: ({ chosen }) => unaligned(chosen),
  },
  'a comma before the fraction': refused(
    timesAre(/,\d/),
    writeTimes((text) => text.replace(',', '.')),
    ({ chosen, seenAt }) => {
      const asPoint = seenAt(FRACTIONS);
      return asPoint?.startsWith('200') === true ? [unaligned(chosen)] : [];
    },
  ),
  'leap second': answered(DAY, timesAre(/:60(?!\d)/)),
  'blanks around the timestamps': refused(
    timesAre(/^\s|\s$/),
    writeTimes((text) => text.trim()),
  ),
  'a window in the future': future('200, hourly, one entry, 48 buckets', true),
  'a window that reaches into the future': future('200, hourly, one entry, 48 buckets', false),
  'limit 0': refused((query) => /^0+$/.test(query.get('limit') ?? ''), leaveOut('limit'), byTypes),
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
    byTypes,
  ),
  'an empty name between commas': refused(
    (query) => /[^,],,+[^,]/.test(query.get('groupBy') ?? ''),
    cleanNames,
    byBoth,
  ),
  'empty workspace': empty('workspace'),
  'empty resourceType': empty('resourceType'),
  'empty billingDimension': empty('billingDimension'),
  'empty cursor': refused(isEmpty('cursor'), leaveOut('cursor'), byTypes),
  'blanks around the commas of groupBy': refused(
    (query) => namesIn(query).some((name) => name !== name.trim()),
    cleanNames,
    byBoth,
  ),
  'groupBy repeated as a parameter': refused(isTwice('groupBy'), keepGroupBy, () => [
    DAY,
    by('resourceType'),
    ...byBoth(),
  ]),
  'startTime repeated': refused(
    (query) => TIMES.some((name) => isTwice(name)(query)),
    (query, saw) => {
      for (const name of TIMES) keepOne(name, () => false)(query, saw);
    },
  ),
  'resolution repeated with other values': refused(
    isTwice('resolution'),
    keepOne('resolution', (values, saw) => saw['resolution'] !== values[0]),
    () => [DAY, '200, daily, one entry, 1 buckets'],
  ),
  'an unknown parameter': answered(DAY, (query) =>
    [...query.keys()].some((name) => !known.includes(name) && !inOtherCase(name)),
  ),
  'a parameter in other letter case': answered(DAY, hasOtherCase, {
    [by('resourceType')]: layered(asksWithQuery(concerned(hasOtherCase), inKnownCase)),
  }),
};
