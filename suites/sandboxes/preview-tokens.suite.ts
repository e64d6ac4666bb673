/** Deleting preview tokens: each once, and no other with it. */
import { setTimeout as wait } from 'node:timers/promises';
import * as fc from 'fast-check';
import { conforms } from '../engine/conforms.ts';
import { judges } from '../judge/judgement.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isRefused, status } from '../expect/status.ts';
import { clientFor, callerVariants } from '../kit/provision/caller-variants.ts';
import type { CallerVariant } from '../kit/provision/caller-variants.ts';
import { forAllSequences } from '../engine/sequence.ts';
import { sharedValue } from '../engine/shared-values.ts';
import type { StepResult } from '../engine/sequence.ts';
import type { Exchange } from '../target/client.ts';
import { noteWait } from '../target/eventually.ts';
import { isConflict } from '../target/retry-delay.ts';
import {
  deleteListedToken,
  deleteNewToken,
  deleteToken,
  makeToken,
  ownPreviews,
  removePreview,
  delaysOf,
} from './tokens.ts';
import type { OwnPreviews, Preview, TokenPlace } from './tokens.ts';

interface Gone {
  readonly when: 'at once' | 'later';
  readonly place: TokenPlace;
}

const goneOfRun = sharedValue<Gone | undefined>();

/** A token may have been created again before a second delete, whose status is not documented. */
judges('sandboxes.preview-tokens.deleted-once', 'deleteSandboxPreviewToken', ({ status: code, json, exchange }) =>
  code === 200 && json !== undefined ? isDeleted(exchange) : undefined,
);

conforms('sandboxes.preview-tokens.deleted-once', async (run) => {
  const own = await ownPreviews(run);
  const [preview] = own.previews;
  const gone = preview && (await goneOfRun.get(run, () => whenGone(run, preview)));
  if (preview && gone?.when === 'at once') {
    const variants = callerVariants(run).slice(1);
    const tests: Readonly<Record<string, () => Promise<Mismatch[]>>> = {
      'deletes at the same time': () => deletedOnceAtOnce(run, preview),
      'deletes at another place': () => deletedAtItsPlaceAlone(run, preview),
      ...Object.fromEntries(
        variants.map((variant) => [
          `a delete by ${variant.caller} in ${variant.header}`,
          () => deletedBy(run, preview, variant),
        ]),
      ),
    };
    await run.forEach(Object.keys(tests), (name) => tests[name]!());
    await followsTheModel(run, own);
    // A deletion may be undone later. Previews of earlier rounds are removed, and names that the server gives may be used again.
    if (gone.place.previewName === preview.previewName && gone.place.tokenName.startsWith(run.prefix))
      run.check(isNotDeleted(await deleteToken(run, gone.place)));
  }
  for (const each of own.previews) await removePreview(run, each);
  if (gone === undefined) await isListedDeletedOnce(run);
});

/** When a deleted token is gone (decision 020). Undefined if none can be created. */
async function whenGone(run: Run, preview: Preview): Promise<Gone | undefined> {
  const first = await newToken(run, preview);
  if (first === undefined) return undefined;
  const exchange = await deleteNewToken(run, first);
  run.need(!isConflict(exchange.response), 'a preview whose tokens can be deleted within --patience');
  run.check(isDeleted(exchange));
  if ((await deleteToken(run, first)).response.status !== 200) return { when: 'at once', place: first };
  let again: Exchange | undefined;
  for (const seconds of delaysOf(run)) {
    // Of the token before, the second deletion may be what removed it.
    const next = await newToken(run, preview);
    if (next === undefined) return undefined;
    run.check(isDeleted(await deleteNewToken(run, next)));
    again = await deleteLater(run, next, seconds);
    if (again.response.status !== 200) return { when: 'later', place: next };
  }
  run.check(isNotDeleted(again!));
  return undefined;
}

async function deleteLater(run: Run, place: TokenPlace, seconds: number): Promise<Exchange> {
  await wait(seconds * 1000);
  const exchange = await deleteToken(run, place);
  noteWait(exchange, seconds);
  return exchange;
}

const newToken = async (run: Run, preview: Preview): Promise<TokenPlace | undefined> =>
  (await makeToken(run, { ...preview, tokenName: run.newName() })).place;

async function isListedDeletedOnce(run: Run): Promise<void> {
  const { allow, resources } = run.target;
  const { place, exchange } = run.need(
    await deleteListedToken(run, (listed) => isNotFoundElsewhere(run, listed)),
    allow === 'destroy' && (resources.previewTokens ?? []).length > 0
      ? 'a sandbox preview token that exists: deletions of all of those in the target file returned 404'
      : `a sandbox preview token to delete: created by the run, or in the target file${allow === 'destroy' ? '' : ' with allow: destroy'}`,
  );
  let again = await deleteToken(run, place);
  let waitedSeconds = 0;
  for (const seconds of delaysOf(run)) {
    if (again.response.status !== 200) break;
    again = await deleteLater(run, place, seconds);
    noteWait(again, (waitedSeconds += seconds));
  }
  run.check(isDeleted(exchange), isNotDeleted(again));
}

async function deletedAtItsPlaceAlone(run: Run, preview: Preview): Promise<Mismatch[]> {
  const place = await newToken(run, preview);
  if (place === undefined) return [];
  await isNotFoundElsewhere(run, place);
  return isDeleted(await deleteNewToken(run, place));
}

/** A delete with the name of an unknown preview or sandbox must not delete an existing token of that name. */
async function isNotFoundElsewhere(run: Run, place: TokenPlace): Promise<void> {
  for (const elsewhere of [
    { ...place, previewName: run.newName() },
    { ...place, sandboxName: run.newName() },
  ]) {
    const exchange = await deleteToken(run, elsewhere);
    if (exchange.response.status !== 200) continue;
    const again = await deleteToken(run, elsewhere);
    if (again.response.status === 200) continue; // The same response as for any missing token.
    run.check([{ expected: 'no status 200, because that token does not exist', actual: 'status 200, once', exchange }]);
  }
}

function isDeleted(exchange: Exchange): Mismatch[] {
  const { message } = (exchange.response.json ?? {}) as { message?: unknown };
  const wrongMessage = { expected: 'message: a string', actual: `message: ${JSON.stringify(message)}`, exchange };
  return [...status(exchange, 200), ...(typeof message === 'string' ? [] : [wrongMessage])];
}

const isNotDeleted = (exchange: Exchange): Mismatch[] =>
  exchange.response.status === 200
    ? [{ expected: 'no status 200: the token is gone', actual: 'status 200', exchange }]
    : [];

/** By one of those who may do everything, in one of the headers. */
async function deletedBy(run: Run, preview: Preview, variant: CallerVariant): Promise<Mismatch[]> {
  const place = await newToken(run, preview);
  if (place === undefined) return [];
  const exchange = await deleteNewToken(run, place, clientFor(run, variant));
  const again = await deleteToken(run, place);
  // An API key may have fewer permissions.
  if (variant.caller === 'apiKey' && isRefused(exchange)) return [];
  return [...isDeleted(exchange), ...isNotDeleted(again)];
}

const AT_ONCE = 3;

/** Whether a new token of a preview replaces the one before it. */
const replacesOfRun = sharedValue<{ isKnown: boolean }>();
const replaces = (run: Run): Promise<{ isKnown: boolean }> => replacesOfRun.get(run, async () => ({ isKnown: false }));

/** Of concurrent deletes exactly one finds the token. */
async function deletedOnceAtOnce(run: Run, preview: Preview): Promise<Mismatch[]> {
  const [place, control] = [await newToken(run, preview), await newToken(run, preview)];
  if (place === undefined || control === undefined) return [];
  // Created later: if this one exists, so does the earlier one, unless it is replaced.
  const found = isDeleted(await deleteNewToken(run, control));
  if (found.length > 0) return found;
  const exchanges = await deleteAtOnce(run, place);
  if (exchanges.some(isFound) || !(await replacesTokens(run, preview))) return isDeletedOnce(exchanges);
  (await replaces(run)).isKnown = true;
  const only = await newToken(run, preview);
  return only === undefined ? [] : isDeletedOnce(await deleteAtOnce(run, only));
}

const isFound = ({ response }: Exchange): boolean => response.status === 200;

/** Whether a token is gone when the next one is made, instead of when that one is deleted. */
async function replacesTokens(run: Run, preview: Preview): Promise<boolean> {
  const [first, second] = [await newToken(run, preview), await newToken(run, preview)];
  if (first === undefined || second === undefined) return false;
  const [ofFirst, ofSecond] = [await deleteToken(run, first), await deleteNewToken(run, second)];
  return !isFound(ofFirst) && isFound(ofSecond);
}

const deleteAtOnce = (run: Run, place: TokenPlace): Promise<Exchange[]> =>
  Promise.all(Array.from({ length: AT_ONCE }, () => deleteToken(run, place)));

function isDeletedOnce(exchanges: readonly Exchange[]): Mismatch[] {
  const [exchange, ...more] = exchanges.filter(isFound);
  const actual = `${exchange === undefined ? 0 : 1 + more.length} times status 200`;
  const isRight = exchange !== undefined && more.length === 0;
  return isRight
    ? isDeleted(exchange)
    : [{ expected: 'status 200 once', actual, exchange: exchanges[0]!, concurrent: exchanges.slice(1) }];
}

/** The index of the token, and the action. */
interface Step {
  readonly preview: 0 | 1;
  readonly name: 0 | 1;
  readonly action: 'make' | 'delete';
}

const step: fc.Arbitrary<Step> = fc.record({
  preview: fc.constantFrom(0, 1),
  name: fc.constantFrom(0, 1),
  action: fc.constantFrom('make', 'delete'),
});

const at = (action: Step['action'], ...places: readonly (readonly [0 | 1, 0 | 1])[]): Step[] =>
  places.map(([preview, name]) => ({ preview, name, action }));

const ALL = [
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
] as const;

const EXAMPLES: readonly (readonly Step[])[] = [
  // Created again with the name of a deleted one.
  [...at('make', [0, 0]), ...at('delete', [0, 0], [0, 0]), ...at('make', [0, 0]), ...at('delete', [0, 0], [0, 0])],
  // The longer name first, and in the other preview first.
  [...at('make', ...ALL), ...ALL.toReversed().flatMap((place) => at('delete', place, place))],
  // Each token once, then all of them again.
  [...at('make', ...ALL), ...ALL.flatMap((place) => at('delete', place, place)), ...at('delete', ...ALL)],
];

/** Existing tokens, by the places that were requested, as JSON. */
type ExistingTokens = Map<string, TokenPlace>;

async function followsTheModel(run: Run, { previews, creations }: OwnPreviews): Promise<void> {
  // Shared by all sequences: each uses new names, so they do not affect each other.
  const existing: ExistingTokens = new Map();
  const hasOneToken = (await replaces(run)).isKnown;
  await forAllSequences<Step, readonly [string, string]>(run, {
    step,
    start: async () => {
      const name = run.newName();
      return { model: [name, `${name}-2`], exchanges: creations };
    },
    runStep: (names, { preview, name, action }) => {
      const place = { ...(previews[preview] ?? previews[0]!), tokenName: names[hasOneToken ? 0 : name] };
      return action === 'make' ? createOnce(run, place, existing) : deleteAndCheck(run, place, existing);
    },
    examples: EXAMPLES,
    runs: Math.ceil(run.runs / 20),
  });
  for (const place of existing.values()) await deleteToken(run, place);
}

/** Never creates an existing name again, because the result is undocumented. */
async function createOnce(run: Run, place: TokenPlace, existing: ExistingTokens): Promise<StepResult> {
  const key = JSON.stringify(place);
  if (existing.has(key)) return { exchanges: [], mismatches: [] };
  const { exchange, place: made } = await makeToken(run, place);
  if (made !== undefined) existing.set(key, made);
  return { exchanges: [exchange], mismatches: [] };
}

async function deleteAndCheck(run: Run, place: TokenPlace, existing: ExistingTokens): Promise<StepResult> {
  const key = JSON.stringify(place);
  const made = existing.get(key);
  existing.delete(key);
  const exchange = made === undefined ? await deleteToken(run, place) : await deleteNewToken(run, made);
  return { exchanges: [exchange], mismatches: made === undefined ? isNotDeleted(exchange) : isDeleted(exchange) };
}
