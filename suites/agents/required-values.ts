/** Documented values that a target refuses in every form that a run knows, although it accepts the agent without them (decision 038). */
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isInvalid, status } from '../expect/status.ts';
import type { Spec } from '../kit/agents/accepted-values.ts';
import { failureAgain } from '../kit/failure-again.ts';
import { put } from '../kit/agents/test-agent.ts';
import type { Put, TestAgent } from '../kit/agents/test-agent.ts';
import { joinSpecs } from '../kit/agents/join-specs.ts';
import type { Fragment, TriggerType } from '../kit/generators/agent-body.ts';
import { sampleCallbackUrl, sampleSchedule } from '../kit/provision/samples.ts';
import type { Exchange } from '../target/client.ts';
import { isSuccessful } from '../target/eventually.ts';
import { findAmounts } from './accepted-amounts.ts';
import type { RefusedType } from './accepted-amounts.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { attachableVolumes } from './volumes.ts';
import { acceptedFields, putPart } from './accepted-fields.ts';

/** Trigger types, variables, the session lifetime 0, minScale 0, and a read-only volume. Empty, with a skipped input, if the refusal may be about something undocumented. */
export async function requiredValueMismatches(run: Run, testAgent: TestAgent): Promise<Mismatch[]> {
  const { amounts, refused, refusedVariable } = await findAmounts(run, testAgent);
  const found: Mismatch[] = [];
  for (const each of refused) found.push(...(await typeMismatches(run, testAgent, each, amounts.types)));
  if (refusedVariable !== undefined) found.push(...(await variableMismatches(run, testAgent, refusedVariable)));
  found.push(...(await sessionMismatches(run, testAgent)), ...(await scaleMismatches(run, testAgent)));
  found.push(...(await volumeMismatches(run, testAgent)));
  const { refused: fields = [] } = await acceptedFields(run, testAgent);
  if (fields.length > 0)
    run.skipInput(`an agent that accepts ${fields.map(([field, code]) => `${field} (status ${code})`).join(', ')}`);
  return found;
}

/** A target may limit the names and values of variables, so that only a refusal of those of the target file is judged. */
async function variableMismatches(run: Run, testAgent: TestAgent, { exchange, missing }: Omit<Put, 'body'>) {
  const what = `an agent that accepts a variable (status ${exchange.response.status})`;
  const isGiven = run.target.samples.variables !== undefined;
  if (!isGiven || missing !== undefined || mayBeQuota(exchange))
    return run.skipInput(missing === undefined ? what : `${what}: ${missing}`);
  return refusalMismatches(run, testAgent, exchange);
}

/** Forms without values whose meaning is undocumented; a path is known if another type is accepted with it. */
const plainForms: Readonly<Record<TriggerType, readonly object[]>> = {
  http: [{}],
  'http-async': [{ path: '/assay/only' }, {}],
  cron: [{}],
};

/** A form with settings that are not documented as optional. */
const fullForm = (run: Run, type: TriggerType, { generation }: TestAgent): object => ({
  ...(type === 'cron' ? { schedule: sampleSchedule(run) } : { path: '/assay/only' }),
  ...(type === 'http-async' && { callbackUrl: sampleCallbackUrl(run) }),
  ...(type === 'http-async' && generation === 'mk3' && { timeout: 60 }),
  retry: 1,
});

/** Words of a refusal that is about a value which the run has made up. */
const aboutMadeUp: Readonly<Record<TriggerType, RegExp>> = {
  http: /\bpath|authentication/i,
  'http-async': /\bpath|authentication/i,
  cron: /schedul|task|interval|expression/i,
};

async function typeMismatches(
  run: Run,
  testAgent: TestAgent,
  { type, sent: { exchange, missing } }: RefusedType,
  accepted: readonly TriggerType[],
): Promise<Mismatch[]> {
  const what = `an agent that accepts a trigger of type ${type} (status ${exchange.response.status})`;
  if (mayBeQuota(exchange)) return run.skipInput(what);
  const lacks = missing === undefined ? what : `${what}: ${missing}`;
  const mayBeMadeUp = aboutMadeUp[type].test(textIn(exchange)) || mayLackPath(run, type, accepted);
  if (missing !== undefined && mayBeMadeUp) return run.skipInput(lacks);
  const forms = missing === undefined ? [] : plainForms[type];
  for (const configuration of [...forms, fullForm(run, type, testAgent)])
    if (isSuccessful(await put(run, testAgent, { triggers: [{ type, configuration }] }))) return run.skipInput(lacks);
  return refusalMismatches(run, testAgent, exchange);
}

/** Whether only types without a path are accepted, so that the target may require paths which the run does not know. */
const mayLackPath = ({ target: { samples } }: Run, type: TriggerType, accepted: readonly TriggerType[]): boolean =>
  type !== 'cron' &&
  samples.triggerPath === undefined &&
  accepted.length > 0 &&
  accepted.every((each) => each === 'cron');

/**
 * 0 disables sticky sessions. A target may accept no revision settings at all, or this one only with others, so that only a
 * target that accepts others is judged.
 */
async function sessionMismatches(run: Run, testAgent: TestAgent): Promise<Mismatch[]> {
  const { fragments } = await acceptedFields(run, testAgent);
  const sessions = fragments.filter(({ revision = {} }) => 'stickySessionTtl' in revision);
  if (sessions.some(({ revision }) => JSON.stringify(revision) === JSON.stringify(noSession.revision))) return [];
  const other = fragments.find(({ revision = {} }) => Object.keys(revision).length > 0);
  const alone = await put(run, testAgent, noSession);
  if (isSuccessful(alone)) return [];
  const failed = await failureMismatches(run, testAgent, noSession, alone);
  if (failed.length > 0) return failed;
  const isRequired = other !== undefined && isInvalid(alone) && !mayBeQuota(alone);
  if (!isRequired)
    return run.skipInput(`an agent that accepts a stickySessionTtl of 0 (status ${alone.response.status})`);
  const isAcceptedWithOther =
    sessions.length === 0 && !isInvalid(await putPart(run, testAgent, joinSpecs<Fragment>(other, noSession)));
  return isAcceptedWithOther ? [] : refusalMismatches(run, testAgent, alone);
}

const noSession = { revision: { stickySessionTtl: 0 } };
const notScaled = { runtime: { minScale: 0 } };

const failureMismatches = (run: Run, testAgent: TestAgent, spec: Spec, failed: Exchange): Promise<Mismatch[]> =>
  failureAgain(
    [failed],
    () => put(run, testAgent),
    async () => [await put(run, testAgent, spec)],
  );

/** 0 is scale-to-zero. A plan may have no scales at all, so that only a target that accepts others is judged. */
async function scaleMismatches(run: Run, testAgent: TestAgent): Promise<Mismatch[]> {
  const { minScale = [] } = (await acceptedFields(run, testAgent)).sizes ?? {};
  if (minScale.includes(0) || minScale.length === 0) return [];
  const alone = await put(run, testAgent, notScaled);
  if (isSuccessful(alone)) return [];
  const failed = await failureMismatches(run, testAgent, notScaled, alone);
  if (failed.length > 0) return failed;
  if (!isInvalid(alone) || mayBeQuota(alone))
    return run.skipInput(`an agent that accepts a minScale of 0 (status ${alone.response.status})`);
  return refusalMismatches(run, testAgent, alone);
}

/** A read-only volume is required where one that can be written to is accepted; how many at once, only a plan may say. */
async function volumeMismatches(run: Run, testAgent: TestAgent): Promise<Mismatch[]> {
  const { refusedReadOnly, refusedCount } = (await undefinedIfNotTried(attachableVolumes(run, testAgent))) ?? {};
  if (refusedCount !== undefined)
    run.skipInput(`an agent that accepts ${refusedCount} volumes at once (one alone is accepted)`);
  if (refusedReadOnly === undefined) return [];
  if (isInvalid(refusedReadOnly) && !mayBeQuota(refusedReadOnly)) return status(refusedReadOnly, 200);
  return run.skipInput(`an agent that accepts a read-only volume (status ${refusedReadOnly.response.status})`);
}

/** None if the agent accepts no other update either. */
async function refusalMismatches(run: Run, testAgent: TestAgent, refused: Exchange): Promise<Mismatch[]> {
  const plain = await put(run, testAgent);
  if (!isSuccessful(plain))
    return run.skipInput(`an agent that accepts a valid update (status ${plain.response.status})`);
  return status(refused, 200).map((found) => ({ ...found, before: [plain] }));
}

/** Any refusal but of an invalid request, or one whose message is about the plan. A server error is no refusal. */
const mayBeQuota = (exchange: Exchange): boolean =>
  exchange.response.status !== 500 &&
  (!isInvalid(exchange) || /quota|limit|upgrade|subscription|billing|\b(?:plan|tier)s?\b/i.test(textIn(exchange)));

/** The body without the names of its members. */
const textIn = ({ response: { text } }: Exchange): string => text.replaceAll(/"[^"]*"\s*:/g, '');
