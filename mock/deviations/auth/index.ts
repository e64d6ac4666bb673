/** All deviations of credentials, scopes and public agents. */
import type { Deviations } from '../deviation.ts';
import { merged } from '../merged.ts';
import { credentialRequiredDeviations } from './credential-required.ts';
import { forgedTokensDeviations } from './forged-tokens.ts';
import { headersDeviations } from './headers.ts';
import { publicAgentDeviations } from './public-agent.ts';
import { scopesDeviations } from './scopes.ts';
import { updateAgentDeviations } from './update-agent.ts';

export const authDeviations: Deviations = merged(
  updateAgentDeviations,
  headersDeviations,
  scopesDeviations,
  credentialRequiredDeviations,
  forgedTokensDeviations,
  publicAgentDeviations,
);
