/** Values that a client hands over and never sees again: they are not even kept. */
import { type Rule } from './rule.ts';
import { isObject } from '../../../http/json-object.ts';

/** Stands in answers where a secret was sent; sent back, it means the secret that is there. */
export const MASK = '********';

/** Environment variables that are marked as secret. */
export const maskSecretEnvs: Rule = ({ spec }) => {
  const { runtime } = spec;
  if (!isObject(runtime) || !Array.isArray(runtime['envs'])) return;
  spec['runtime'] = { ...runtime, envs: runtime['envs'].map(maskEnv) };
};

function maskEnv(env: unknown): unknown {
  return isObject(env) && env['secret'] === true && env['value'] !== undefined ? { ...env, value: MASK } : env;
}
