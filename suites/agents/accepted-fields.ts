/** Fields that an agent accepts beyond those that every target must accept: tried one by one, once per run. */
import type { Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { allSizes } from '../kit/generators/agent-body.ts';
import type { AgentParts, Fragment, Sizes, Accepted } from '../kit/generators/agent-body.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { sampleCallbackUrl } from '../kit/provision/samples.ts';
import type { Exchange } from '../target/client.ts';
import { bodyOf, put, sendUpdate, readAgent } from '../kit/agents/test-agent.ts';
import type { AgentBody, Spec, TestAgent } from '../kit/agents/test-agent.ts';
import { policyNames } from './policies.ts';
import { acceptedAmounts } from './accepted-amounts.ts';
import { attachableVolumes, specWithVolumes } from './volumes.ts';
import { sharedValues } from '../engine/shared-values.ts';

const acceptedParts = sharedValues<Accepted>();
const acceptedSizesCache = sharedValues<Sizes>();

export function acceptedFields(run: Run, testAgent: TestAgent): Promise<Accepted> {
  return acceptedParts.get(run, testAgent.name, async () => {
    const fragments: Fragment[] = [];
    for (const fragment of await candidates(run, testAgent)) {
      if (isSuccessful(await put(run, testAgent, await upToDate(run, testAgent, fragment)))) fragments.push(fragment);
    }
    // An agent that others use is never made public.
    const mayBePublic = testAgent.name.startsWith(run.prefix);
    const [sizes, amounts] = [await acceptedSizes(run, testAgent), await acceptedAmounts(run, testAgent)];
    return { generation: testAgent.generation, mayBePublic, fragments, sizes, amounts };
  });
}

/** Each size alone: a plan may limit memory or scale. */
export function acceptedSizes(run: Run, testAgent: TestAgent): Promise<Sizes> {
  const allowed = async (field: keyof Sizes): Promise<number[]> => {
    const sizes = [];
    for (const size of allSizes[field])
      if (isSuccessful(await put(run, testAgent, { runtime: { [field]: size } }))) sizes.push(size);
    return sizes;
  };
  return acceptedSizesCache.get(run, testAgent.name, async () => ({
    memory: await allowed('memory'),
    minScale: await allowed('minScale'),
    maxScale: await allowed('maxScale'),
  }));
}

/** Without fragments that name a revision, which only `putParts` can send. */
export const withoutRevisions = (accepted: Accepted): Accepted => ({
  ...accepted,
  fragments: accepted.fragments.filter((fragment) => !namesRevision(fragment)),
});

export interface Put {
  readonly body: AgentBody;
  readonly exchange: Exchange;
}

/** Sends valid parts. If they name the newest revision and are refused, sends them again without `revision`. */
export async function putParts(run: Run, testAgent: TestAgent, { metadata, spec }: AgentParts): Promise<Put> {
  const send = async (candidate: Spec): Promise<Put> => {
    const body = bodyOf(testAgent, candidate, metadata);
    return { body, exchange: await sendUpdate(run, testAgent, body) };
  };
  const first = await send(await upToDate(run, testAgent, spec));
  if (isSuccessful(first.exchange) || !namesRevision(spec)) return first;
  return send(withoutRevision(spec));
}

/** Placeholder for the newest revision: every update creates one, and only the last few may be kept. */
const NEWEST = 'the newest revision';

const namesRevision = ({ revision }: Spec): boolean => JSON.stringify(revision ?? {}).includes(NEWEST);
const withoutRevision = ({ revision: _revision, ...spec }: Spec): Spec => spec;

/** The spec with the agent's current newest revision; without `revision` if none is returned. */
async function upToDate(run: Run, testAgent: TestAgent, spec: Spec): Promise<Spec> {
  if (!namesRevision(spec)) return spec;
  const response = await readAgent(run, testAgent);
  const newest = revisionIn(response) ?? revisionIn(await put(run, testAgent));
  if (newest === undefined) return withoutRevision(spec);
  const named = Object.entries(spec['revision'] as object).map(([field, value]) => [
    field,
    value === NEWEST ? newest : value,
  ]);
  return { ...spec, revision: Object.fromEntries(named) as object };
}

/**
 * Undocumented values (repository and authentication types, session lengths, references), and values that must exist
 * (regions, policies, volumes, images, revisions).
 */
async function candidates(run: Run, testAgent: TestAgent): Promise<Fragment[]> {
  const response = await put(run, testAgent);
  const [image, revision] = [imageIn(response), revisionIn(response)];
  const policies = await policyNames(run);
  return [
    { repository: { type: 'github', url: 'https://github.com/example/demo-agent' } },
    ...[0, 1, 90, 3600, 86_400].map((stickySessionTtl) => ({ revision: { stickySessionTtl } })),
    { revision: { traffic: 100 } },
    { revision: { canaryPercent: 0 } },
    ...(revision === undefined ? [] : [{ revision: { active: NEWEST } }, { revision: canary }]),
    ...(image === undefined ? [] : [{ runtime: { image } }]),
    ...(policies.length === 0 ? [] : [{ policies }]),
    // Both orders show whether the target keeps the order.
    ...(policies.length < 2 ? [] : [{ policies: policies.toReversed() }]),
    { triggers: [{ type: 'http', configuration: { path: '/assay/private', authenticationType: 'private' } }] },
    ...alternativeForms(run),
    ...(await volumeFragments(run, testAgent)),
  ];
}

/** Less common forms of generally accepted values. */
const alternativeForms = (run: Run): readonly Fragment[] => [
  { runtime: { envs: [{ name: 'assay_lowerCase', value: 'text' }] } },
  { runtime: { envs: [{ name: 'ASSAY_REFERENCE', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] } },
  ...[
    { id: '7c9e6679-7425-40de-944b-e07fc1f90ae7', type: 'http', configuration: { path: '/assay/uuid' } },
    { id: 'Assay_Mixed.Case', type: 'http', configuration: { path: '/assay/Mixed_Case/a%20b/' } },
    asyncTrigger(sampleCallbackUrl(run, 'https://example.com/assay/answers?of=agent&at=1'), { path: '/assay/asking' }),
    asyncTrigger(sampleCallbackUrl(run), { path: '/assay/patient', retry: 10 }),
  ].map((trigger) => ({ triggers: [trigger] })),
];

const asyncTrigger = (callbackUrl: string, configuration: object) => ({
  type: 'http-async',
  configuration: { ...configuration, callbackUrl },
});

const canary = { active: NEWEST, canary: NEWEST, canaryPercent: 7, traffic: 93 };

async function volumeFragments(run: Run, testAgent: TestAgent): Promise<Fragment[]> {
  const { volume } = run.target.resources;
  if (volume === undefined) return [];
  const { name, region } = volume;
  const mounted = (mountPath: string, readOnly: boolean) => ({ region, volumes: [{ name, mountPath, readOnly }] });
  const several = await undefinedIfNotTried(attachableVolumes(run, testAgent));
  return [
    { region },
    mounted('/mnt/assay', true),
    mounted('/mnt/assay', false),
    mounted('/mnt/Assay Data', false),
    ...(several === undefined || several.names.length === 1 ? [] : [{ ...specWithVolumes(several) }]),
  ];
}

interface AgentResponse {
  readonly spec?: { readonly runtime?: { readonly image?: unknown } };
  readonly events?: readonly { readonly revision?: unknown }[];
}

function imageIn({ response: { json } }: Exchange): string | undefined {
  const image = (json as AgentResponse | null | undefined)?.spec?.runtime?.image;
  return typeof image === 'string' && image !== '' ? image : undefined;
}

function revisionIn({ response: { json } }: Exchange): string | undefined {
  const events = (json as AgentResponse | null | undefined)?.events;
  const revisions = Array.isArray(events) ? (events as { revision?: unknown }[]).map((event) => event.revision) : [];
  return revisions.findLast((revision) => typeof revision === 'string');
}
