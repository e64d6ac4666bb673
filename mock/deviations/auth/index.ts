/** All deviations of credentials, scopes and public agents. */
import { merged, type Table } from '../table.ts';
import { credentialRequiredDeviations } from './credential-required.ts';
import { forgedTokensDeviations } from './forged-tokens.ts';
import { headersDeviations } from './headers.ts';
import { publicAgentDeviations } from './public-agent.ts';
import { scopesDeviations } from './scopes.ts';
import { updateAgentDeviations } from './update-agent.ts';

export const authDeviations: Table = merged(
  updateAgentDeviations,
  headersDeviations,
  scopesDeviations,
  credentialRequiredDeviations,
  forgedTokensDeviations,
  publicAgentDeviations,
);
