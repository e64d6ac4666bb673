/** All deviations of agent updates and their effects. */
import { merged, type Table } from '../table.ts';
import { defaultsDeviations } from './defaults.ts';
import { enabledDeviations } from './enabled.ts';
import { omissionDeviations } from './omitted-members.ts';
import { roundTripDeviations } from './round-trip.ts';
import { runtimeDeviations } from './runtime.ts';
import { sequencesDeviations } from './sequences.ts';
import { triggerSettingsDeviations } from './trigger-settings.ts';
import { triggersDeviations } from './triggers.ts';
import { typesDeviations } from './types.ts';
import { updateDeviations } from './update.ts';
import { volumesDeviations } from './volumes.ts';

export const agentsDeviations: Table = merged(
  updateDeviations,
  roundTripDeviations,
  typesDeviations,
  defaultsDeviations,
  omissionDeviations,
  sequencesDeviations,
  runtimeDeviations,
  triggersDeviations,
  triggerSettingsDeviations,
  volumesDeviations,
  enabledDeviations,
);
