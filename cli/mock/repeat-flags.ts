/** The flags that start a mock again that behaves like this one. */

/** In the order in which they are printed. Addresses and secrets are not needed. */
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
  'deviate',
  'tlsCert',
  'tlsKey',
] as const;

/** `options`: the parsed flags of `assay mock`, some of which may come from the config file. */
export const repeatFlags = (options: Readonly<Record<string, unknown>>): string[] =>
  REPEATED.flatMap((key) => [options[key] ?? []].flat().flatMap((value: unknown) => flagWords(key, value)));

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
