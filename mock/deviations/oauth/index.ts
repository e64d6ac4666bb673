/** All deviations of the OAuth endpoints. */
import type { Deviations } from '../deviation.ts';
import { merged } from '../merged.ts';
import { authorizeDeviations } from './authorize.ts';
import { errorsDeviations } from './errors.ts';
import { tokensDeviations } from './tokens.ts';

export const oauthDeviations: Deviations = merged(tokensDeviations, errorsDeviations, authorizeDeviations);
