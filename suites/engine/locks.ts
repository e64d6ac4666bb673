/** What cases share and cannot use at the same time, as a table; and which of it a case uses. */
import { operation } from '../../spec/operations.ts';
import type { OperationId } from '../../spec/generated/types.ts';
import type { Surface } from '../../spec/openapi-document.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { Target } from '../target/target.ts';
import type { Need, Requirement } from '../../spec/requirements/requirement.ts';

interface Shared {
  /** Why its users conflict. */
  readonly because: string;
  /** How many cases may use it at the same time. */
  readonly capacity: number;
  /** Rules about these operations, or about their whole surface, use it. */
  readonly operations: readonly OperationId[];
  /** Rules with these needs use it. */
  readonly needs?: readonly Need[];
  /** These rules use it. */
  readonly rules?: readonly RequirementId[];
  /** Each of these rules uses all of its places. */
  readonly exclusive?: readonly RequirementId[];
  /** Whether there are conflicts with this target. Defaults to all runs that may write. */
  readonly isShared?: (target: Target) => boolean;
}

const created = ['createVpc', 'createIntegrationConnection', 'createFunction'] as const;

export const sharedResources = {
  agents: {
    because:
      'They update agents, or query agents that others update. More run at the same time if the run creates agents.',
    capacity: 1,
    operations: ['updateAgent', 'queryAgent'],
    needs: ['agent', 'mk3-agent', 'destroy'],
  },
  volumes: {
    because:
      'A volume is attached to one agent at a time. More run at the same time if the run creates volumes for them.',
    capacity: 1,
    operations: [],
    rules: [
      'agents.update.round-trip',
      'agents.update.wrong-type-400',
      'agents.update.defaults',
      'agents.update.idempotent',
      'agents.update.any-sequence-follows-the-model',
      'agents.volumes.region-required',
      'agents.volumes.mount-path-absolute',
      'agents.volumes.must-exist-in-region',
    ],
  },
  quota: {
    because: 'A plan may limit how many resources exist at the same time.',
    capacity: 3,
    operations: created,
  },
  watches: {
    because: 'A sandbox may limit how many watches are open, and lines are expected within a time.',
    capacity: 2,
    operations: ['watchDirectory'],
    // They open several watches, up to the limit.
    exclusive: ['sandbox.watch.only-its-directory', 'sandbox.watch.watchers-independent'],
  },
  uploads: {
    because: 'The form of a list of uploads is observed while none is active.',
    capacity: 1,
    operations: [],
    rules: ['sandbox.multipart.list-shape', 'sandbox.multipart.uploads-distinct', 'sandbox.undocumented.answers'],
  },
  'template-versions': {
    because:
      'They delete versions of the target file, which others expect. Versions that the run creates are not shared.',
    capacity: 1,
    operations: ['deleteVolumeTemplateVersion'],
    isShared: ({ allow, resources }) => allow === 'destroy' && (resources.templateVersions ?? []).length > 0,
  },
  codes: {
    because:
      'A new authorization may replace an earlier code of the same user and client, and a second exchange of a code may revoke them all (RFC 6749 section 4.1.2).',
    capacity: 1,
    operations: ['authorize', 'requestToken'],
    rules: ['auth.forged-tokens.refused'],
    isShared: ({ client }) => client !== undefined,
  },
} as const satisfies Readonly<Record<string, Shared>>;

export type SharedResource = keyof typeof sharedResources;

/** Which of several interchangeable ones a case uses, from 0, for each resource that it uses. */
export type Slots = Readonly<Partial<Record<SharedResource, number>>>;

const resources = Object.entries(sharedResources) as readonly [SharedResource, Shared][];

const mayWrite = ({ allow }: Target): boolean => allow !== 'read';

/** What the case of a rule may use and others may change. */
export function usedResources({ id, operations, needs }: Requirement, target: Target): SharedResource[] {
  const concerns = (used: OperationId): boolean =>
    operations.some((each: OperationId | Surface) => each === used || each === operation(used).surface);
  const isUsed = ({
    operations: ofResource,
    needs: withNeeds = [],
    rules = [],
    isShared = mayWrite,
  }: Shared): boolean =>
    isShared(target) &&
    (ofResource.some(concerns) || withNeeds.some((need) => needs.includes(need)) || rules.some((rule) => rule === id));
  return resources.filter(([, shared]) => isUsed(shared)).map(([name]) => name);
}

/** Whether the case of a rule uses all places of a resource, instead of one. */
export function isExclusive({ id }: Requirement, name: SharedResource): boolean {
  const { exclusive = [] }: Shared = sharedResources[name];
  return exclusive.some((rule) => rule === id);
}

/** Whether a case must run while no other case does: it may remove what others use. */
export const runsAlone = ({ needs }: Requirement, target: Target): boolean =>
  mayWrite(target) && needs.includes('destroy');
