/** Write-only secrets of environment variables, which the mock does not even store. */
import { type Rule } from './rule.ts';
import { isObject } from '../../../../spec/json-object.ts';

/** Replaces secrets in responses. If a client sends it back, the secret stays unchanged. */
export const MASK = '********';

/** Masks environment variables that are marked as secret. */
export const maskSecretEnvs: Rule = ({ spec }) => {
  const { runtime } = spec;
  if (!isObject(runtime) || !Array.isArray(runtime['envs'])) return;
  spec['runtime'] = { ...runtime, envs: runtime['envs'].map(maskEnv) };
};

function maskEnv(env: unknown): unknown {
  return isObject(env) && env['secret'] === true && env['value'] !== undefined ? { ...env, value: MASK } : env;
}
