/** agents.triggers.timeout-*: the limit of a trigger's timeout, and the generation that has one. */
import {
  BASELINE_ID,
  sentIds,
  idAt,
  withId,
  baselineWith,
  specWith,
  needTriggersReturned,
  visibleRefusal,
} from './trigger-updates.ts';
import * as fc from 'fast-check';
import type { Mismatch, Run } from '../engine/conforms.ts';
import type { Judged } from '../judge/judgement.ts';
import type { Facts, Seen } from '../judge/seen.ts';
import { configurationOf, generationIn, isAcceptedUpdate, sentTriggers, specIn } from '../kit/agents/seen-update.ts';
import { isSuccessful } from '../target/eventually.ts';
import { isOmitted } from '../json/fields.ts';
import { status } from '../expect/status.ts';
import type { Exchange } from '../target/client.ts';
import { withRefusedUpdates } from '../kit/agents/each-update-refused.ts';
import {
  refusedText,
  judged,
  needAcceptedOnce,
  put,
  putValid,
  refusedMetadata,
  withTestAgent,
} from '../kit/agents/test-agent.ts';
import type { Spec, TestAgent } from '../kit/agents/test-agent.ts';
import { acceptedPositions } from './accepted-amounts.ts';
import { insertTrigger, httpAsync, positionAt, triggersIn } from './triggers.ts';
import type { Position } from './triggers.ts';
import { mayOmitRuntime, putWithoutRuntime, hasMk2 } from '../kit/agents/without-runtime.ts';
import { movedAgent } from '../kit/agents/moved-agent.ts';
import { requirement } from '../../spec/requirements/index.ts';

const { maxSeconds } = requirement('agents.triggers.timeout-at-most-900').values;

/** An asynchronous trigger of an mk3 agent with a longer timeout. */
export const hasLongTimeout = (seen: Seen): boolean =>
  generationIn(specIn(seen.sent)) === 'mk3' &&
  sentTriggers(seen).some((trigger) => {
    const { timeout } = configurationOf(trigger);
    return trigger['type'] === 'http-async' && typeof timeout === 'number' && timeout > maxSeconds;
  });

/** An accepted update of an mk2 agent with a timeout. */
export function judgeTimeoutOnMk2(seen: Seen, facts: Facts): Judged {
  const hasTimeout = sentTriggers(seen).some((trigger) => !isOmitted(configurationOf(trigger)['timeout']));
  if (generationIn(specIn(seen.sent)) !== 'mk2' || !hasTimeout) return undefined;
  if (seen.status === 400) return [];
  if (!isAcceptedUpdate(seen, facts)) return undefined;
  return generationIn(specIn(seen.json)) === 'mk3' ? undefined : timeoutMismatches(seen.exchange);
}

/** What else the configuration of a trigger with a timeout has. The first inputs have no callback URL, and retries. */
const companions: Readonly<Record<string, object>> = {
  'no callback URL': { callbackUrl: undefined },
  'a callback URL': {},
  retries: { retry: 2 },
};
const companionNames = Object.keys(companions);
const companionAt = (index: number): string => companionNames[index % companionNames.length]!;

/** The interface has no lower bound, so that a target may refuse shorter ones. */
const SHORTEST_SECONDS = 60;

export async function checkTimeoutAtMost900(run: Run): Promise<void> {
  const specWithTimeout = (timeout: number, place: Position): Spec => ({
    triggers: insertTrigger(run, httpAsync(run, '/assay/timed', { timeout }), place),
  });
  const excess = [1, 2 ** 31, 100, maxSeconds, 2, 2 ** 32 + 1, 10, 86_400, 3 * maxSeconds, 2 ** 31 - 1, 99, 2 ** 32];
  await withTestAgent(run, 'mk3', async (testAgent) => {
    const positions = await acceptedPositions(run, [testAgent]);
    await needAcceptedOnce(run, testAgent, { triggers: [httpAsync(run, '/assay/timed')] }, 'an async trigger');
    await run.forAll(
      { timeout: fc.integer({ min: SHORTEST_SECONDS, max: maxSeconds }), place: fc.constantFrom(...positions) },
      async ({ timeout, place }) =>
        judged(run, await putValid(run, testAgent, specWithTimeout(timeout, place)), (exchange) =>
          status(exchange, 200),
        ),
      {
        examples: [maxSeconds, SHORTEST_SECONDS, maxSeconds - 1].flatMap((timeout) =>
          positions.map((place) => ({ timeout, place })),
        ),
      },
    );
    const baseline = baselineWith(httpAsync(run, '/assay/known'));
    const last = () =>
      visibleRefusal(run, testAgent, httpAsync(run, `/${refusedText(run)}`, { timeout: maxSeconds + 1 }));
    await withRefusedUpdates(run, [testAgent], { baseline, last }, async ({ check }) => {
      await check({
        inputs: {
          timeout: fc.integer({ min: maxSeconds + 1, max: 10 * maxSeconds }),
          place: fc.constantFrom(...positions),
          enabled: fc.boolean(),
          id: fc.constantFrom(...sentIds(run)),
          isDisabling: fc.boolean(),
          beside: fc.constantFrom(...companionNames),
        },
        examples: excess.flatMap((more, index) =>
          positions.map((_, at) => ({
            timeout: maxSeconds + more,
            place: positionAt(index + at, positions),
            enabled: true,
            id: idAt(run, index + at),
            isDisabling: at % 2 === 0,
            beside: companionAt(index + at),
          })),
        ),
        async refusal(_, { timeout, place, enabled, id, isDisabling, beside }, variant) {
          const configured = httpAsync(run, `/${refusedText(run)}`, { timeout, ...companions[beside] });
          const trigger = withId(id, { ...configured, enabled });
          const spec = specWith(insertTrigger(run, trigger, place), isDisabling);
          return status(await put(run, testAgent, spec, refusedMetadata(run), variant), 400);
        },
      });
    });
  });
}

export async function checkTimeoutMk3Only(run: Run): Promise<void> {
  await withTestAgent(run, 'mk2', async (testAgent) => {
    const positions = await acceptedPositions(run, [testAgent]);
    const needWithoutTimeout = async (place: Position) => {
      const triggers = insertTrigger(run, withId(BASELINE_ID, httpAsync(run, '/assay/timed')), place);
      needTriggersReturned(run, await needAcceptedOnce(run, testAgent, { triggers }, 'an async trigger'));
    };
    await run.forAll(
      {
        timeout: fc.integer({ min: 1, max: maxSeconds }),
        place: fc.constantFrom(...positions),
        enabled: fc.boolean(),
        id: fc.constantFrom(...sentIds(run)),
        beside: fc.constantFrom(...companionNames),
      },
      async ({ timeout, place, enabled, id, beside }) => {
        await needWithoutTimeout(place);
        const configured = httpAsync(run, '/assay/timed', { timeout, ...companions[beside] });
        const trigger = withId(id, { ...configured, enabled });
        return timeoutMismatches(await put(run, testAgent, { triggers: insertTrigger(run, trigger, place) }));
      },
      {
        examples: [30, maxSeconds, 1, maxSeconds - 1].flatMap((timeout, index) =>
          positions.map((_, at) => ({
            timeout,
            place: positionAt(index + at, positions),
            enabled: (index + at) % 2 === 0,
            id: idAt(run, index + at),
            beside: companionAt(index + at),
          })),
        ),
      },
    );
    run.check(await keptTimeoutMismatches(run));
    await run.forEach(positions, async (place) =>
      (await mayOmitRuntime(run, testAgent)) ? timeoutWithoutRuntimeMismatches(run, testAgent, place) : [],
    );
  });
}

/** Empty unless an update without `runtime` is accepted and keeps the agent on mk2. */
async function timeoutWithoutRuntimeMismatches(run: Run, testAgent: TestAgent, place: Position): Promise<Mismatch[]> {
  const send = (configuration: object) =>
    putWithoutRuntime(run, testAgent, {
      triggers: insertTrigger(run, httpAsync(run, '/assay/timed', configuration), place),
    });
  if (!hasMk2(await send({}))) return [];
  const exchange = await send({ timeout: 30 });
  return !isSuccessful(exchange) || hasMk2(exchange) ? timeoutMismatches(exchange) : [];
}

/** An agent that is moved to mk2 without a timeout has none, unless the server sets one of its own on mk2. */
async function keptTimeoutMismatches(run: Run): Promise<Mismatch[]> {
  const moved = await movedAgent(run);
  if (moved === undefined || timeoutMismatches(moved.first).length > 0) return [];
  return timeoutMismatches(moved.back).map((found) => ({ ...found, before: [moved.onMk3] }));
}

/** 400, or a success that does not return the field. */
function timeoutMismatches(exchange: Exchange): Mismatch[] {
  if (!isSuccessful(exchange)) return status(exchange, 400);
  const timeouts = triggersIn(exchange).map(({ configuration }) => configuration?.['timeout']);
  const returned = timeouts.filter((timeout) => !isOmitted(timeout));
  const expected = 'status 400, or no timeout in any trigger of an mk2 agent';
  return returned.length === 0 ? [] : [{ expected, actual: `timeout ${JSON.stringify(returned[0])}`, exchange }];
}
