/** All deviations of the OAuth endpoints. */
import { merged, type Table } from '../table.ts';
import { authorizeDeviations } from './authorize.ts';
import { errorsDeviations } from './errors.ts';
import { tokensDeviations } from './tokens.ts';

export const oauthDeviations: Table = merged(tokensDeviations, errorsDeviations, authorizeDeviations);
