/** agents.triggers.timeout-*: the limit of a trigger's timeout, and the generation that has one. */
import {
  ACCEPTED_RUNS,
  REFUSED_RUNS,
  BASELINE_ID,
  sentIds,
  idAt,
  withId,
  baselineWith,
  specWith,
  checkLastRefusal,
  needTriggersReturned,
} from './trigger-updates.ts';
import * as fc from 'fast-check';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { isOmitted } from '../json/fields.ts';
import { status } from '../expect/status.ts';
import { scaleRuns } from '../engine/for-all.ts';
import { rotateVariants } from '../kit/provision/caller-variants.ts';
import type { Exchange } from '../target/client.ts';
import {
  REFUSED,
  needAccepted,
  put,
  refusedMetadata,
  checkUnchanged,
  acceptedUpdateVariants,
  withTestAgent,
} from '../kit/agents/test-agent.ts';
import type { Spec, TestAgent } from '../kit/agents/test-agent.ts';
import { acceptedPositions } from './accepted-amounts.ts';
import { insertTrigger, httpAsync, triggersIn } from './triggers.ts';
import type { Position } from './triggers.ts';
import { mayOmitRuntime, putWithoutRuntime, hasMk2 } from '../kit/agents/without-runtime.ts';
import { requirement } from '../../spec/requirements/index.ts';

const { maxSeconds } = requirement('agents.triggers.timeout-at-most-900').values;

/** The interface has no lower bound, so that a target may refuse shorter ones. */
const SHORTEST_SECONDS = 60;

export async function checkTimeoutAtMost900(run: Run): Promise<void> {
  const specWithTimeout = (timeout: number, place: Position): Spec => ({
    triggers: insertTrigger(run, httpAsync(run, '/assay/timed', { timeout }), place),
  });
  await withTestAgent(run, 'mk3', async (testAgent) => {
    const positions = await acceptedPositions(run, testAgent);
    await needAccepted(run, testAgent, { triggers: [httpAsync(run, '/assay/timed')] }, 'an async trigger');
    await run.forAll(
      { timeout: fc.integer({ min: SHORTEST_SECONDS, max: maxSeconds }), place: fc.constantFrom(...positions) },
      async ({ timeout, place }) => status(await put(run, testAgent, specWithTimeout(timeout, place)), 200),
      {
        runs: Math.min(run.runs, ACCEPTED_RUNS),
        examples: [SHORTEST_SECONDS, maxSeconds - 1, maxSeconds].flatMap((timeout) =>
          positions.map((place) => ({ timeout, place })),
        ),
      },
    );
    const variants = await acceptedUpdateVariants(run, testAgent);
    const before = await baselineWith(run, testAgent, httpAsync(run, '/assay/known'));
    const excess = [1, 2, 10, 99, 100, maxSeconds, 3 * maxSeconds, 86_400, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 32 + 1];
    await run.forAll(
      {
        timeout: fc.integer({ min: maxSeconds + 1, max: 10 * maxSeconds }),
        place: fc.constantFrom(...positions),
        variant: fc.constantFrom(...variants),
        enabled: fc.boolean(),
        id: fc.constantFrom(...sentIds),
        isDisabling: fc.boolean(),
      },
      async ({ timeout, place, variant, enabled, id, isDisabling }) => {
        const trigger = withId(id, { ...httpAsync(run, `/${REFUSED}`, { timeout }), enabled });
        return status(
          await put(
            run,
            testAgent,
            specWith(insertTrigger(run, trigger, place), isDisabling),
            refusedMetadata,
            variant,
          ),
          400,
        );
      },
      {
        runs: scaleRuns(run, REFUSED_RUNS),
        examples: rotateVariants(
          variants,
          excess.flatMap((more, index) =>
            positions.map((place, at) => ({
              timeout: maxSeconds + more,
              place,
              enabled: true,
              id: idAt(index + at),
              isDisabling: at % 2 === 0,
            })),
          ),
        ),
      },
    );
    run.check(await checkLastRefusal(run, testAgent, httpAsync(run, `/${REFUSED}`, { timeout: maxSeconds + 1 })));
    run.check(await checkUnchanged(run, before));
  });
}

export async function checkTimeoutMk3Only(run: Run): Promise<void> {
  await withTestAgent(run, 'mk2', async (testAgent) => {
    const positions = await acceptedPositions(run, testAgent);
    for (const place of positions) {
      needTriggersReturned(
        run,
        await needAccepted(
          run,
          testAgent,
          { triggers: insertTrigger(run, withId(BASELINE_ID, httpAsync(run, '/assay/timed')), place) },
          'an async trigger',
        ),
      );
    }
    await run.forAll(
      {
        timeout: fc.integer({ min: 1, max: maxSeconds }),
        place: fc.constantFrom(...positions),
        enabled: fc.boolean(),
        id: fc.constantFrom(...sentIds),
      },
      async ({ timeout, place, enabled, id }) => {
        const trigger = withId(id, { ...httpAsync(run, '/assay/timed', { timeout }), enabled });
        return timeoutMismatches(await put(run, testAgent, { triggers: insertTrigger(run, trigger, place) }));
      },
      {
        runs: Math.min(run.runs, 2 * ACCEPTED_RUNS),
        examples: [1, 30, maxSeconds - 1, maxSeconds].flatMap((timeout, index) =>
          positions.map((place, at) => ({ timeout, place, enabled: true, id: idAt(index + at) })),
        ),
      },
    );
    if (await mayOmitRuntime(run, testAgent)) run.check(...(await timeoutWithoutRuntimeMismatches(run, testAgent)));
  });
}

/** Positions at which an update without `runtime` is accepted and keeps the agent on mk2. */
async function timeoutWithoutRuntimeMismatches(run: Run, testAgent: TestAgent): Promise<Mismatch[][]> {
  const send = (configuration: object, place: Position) =>
    putWithoutRuntime(run, testAgent, {
      triggers: insertTrigger(run, httpAsync(run, '/assay/timed', configuration), place),
    });
  const found = [];
  for (const place of await acceptedPositions(run, testAgent)) {
    if (!hasMk2(await send({}, place))) continue;
    const exchange = await send({ timeout: 30 }, place);
    if (!isSuccessful(exchange) || hasMk2(exchange)) found.push(timeoutMismatches(exchange));
  }
  return found;
}

/** 400, or a success that does not return the field. */
function timeoutMismatches(exchange: Exchange): Mismatch[] {
  if (!isSuccessful(exchange)) return status(exchange, 400);
  const timeouts = triggersIn(exchange).map(({ configuration }) => configuration?.['timeout']);
  const returned = timeouts.filter((timeout) => !isOmitted(timeout));
  const expected = 'status 400, or no timeout in any trigger of an mk2 agent';
  return returned.length === 0 ? [] : [{ expected, actual: `timeout ${JSON.stringify(returned[0])}`, exchange }];
}
