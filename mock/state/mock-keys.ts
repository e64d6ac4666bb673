/** Keys and secrets of a mock that is not on loopback: from the environment, or derived from a random secret. */
import { createHmac, randomBytes } from 'node:crypto';

export interface MockKeys {
  /** Keys and secrets are derived from it, so that a reset restores the same ones. */
  readonly secret: string;
  /** Given credentials by name. */
  readonly values: Readonly<Record<string, string>>;
  /** Whether the secrets of clients are replaced: those of the default world are public. */
  readonly replacesClientSecrets: boolean;
}

/** Names of the variables, by the credential that they replace. */
const VARIABLES = { apiKey: 'ASSAY_API_KEY', admin: 'ASSAY_ADMIN_TOKEN' } as const;

export function exposedKeys(environment: NodeJS.ProcessEnv): Omit<MockKeys, 'replacesClientSecrets'> {
  const given = Object.entries(VARIABLES).flatMap(([name, variable]) => {
    const value = environment[variable] ?? '';
    return value === '' ? [] : [[name, value] as const];
  });
  const values = Object.fromEntries(given);
  return { secret: randomBytes(32).toString('hex'), values };
}

/** 32 hexadecimal digits. */
export function derivedSecret(secret: string, purpose: string): string {
  return createHmac('sha256', secret).update(purpose).digest('hex').slice(0, 32);
}
