/** The flags that start an equal mock. Without `--upstream`, which may contain a secret: that mock forwards nothing. */

/** In the order in which they are printed. Addresses and secrets are omitted. */
const REPEATED = [
  'world',
  'state',
  'seed',
  'now',
  'clock',
  'brand',
  'latency',
  'sandboxUrls',
  'onlyDocumented',
  'profile',
  'replay',
  'deviate',
  'tlsCert',
  'tlsKey',
] as const;

/** The state file exists when the mock starts again, and then has its own. */
const IN_STATE_FILE: readonly string[] = ['world', 'seed', 'now'];

/** `options`: the parsed flags of `assay mock`, some of which may come from the config file. */
export function repeatFlags(options: Readonly<Record<string, unknown>>): string[] {
  const keys = options['state'] === undefined ? REPEATED : REPEATED.filter((key) => !IN_STATE_FILE.includes(key));
  return keys.flatMap((key) => [options[key] ?? []].flat().flatMap((value: unknown) => flagWords(key, value)));
}

function flagWords(key: (typeof REPEATED)[number], value: unknown): string[] {
  const flag = `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (typeof value === 'boolean') return value ? [flag] : [];
  return [flag, wordOf(key, value)];
}

function wordOf(key: string, value: unknown): string {
  if (key === 'now') return new Date(Number(value)).toISOString();
  if (key !== 'latency') return String(value);
  const { min, max } = value as { min: number; max: number };
  return `${min}-${max}`;
}
