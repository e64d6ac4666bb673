/** The variants of calling the management API: each kind of credential in each header that can carry one. */
import { carriersOf } from '../auth/carriers.ts';
import { isSuccessful } from '../../target/eventually.ts';
import { strongestCaller } from '../../engine/callers.ts';
import type { Run } from '../../engine/run.ts';
import type { Client, Exchange } from '../../target/client.ts';
import type { HeaderInput } from '../../target/request-types.ts';
import { callersOf, clientOf } from './callers.ts';
import type { ManagementCaller } from './callers.ts';
import { undefinedIfNotTried } from './undefined-if-not-tried.ts';
import { sharedValues } from '../../engine/shared-values.ts';

const acceptedOfRun = sharedValues<boolean>();

export interface CallerVariant {
  readonly caller: ManagementCaller;
  readonly header: 'standard' | 'brand';
}

export const defaultVariant: CallerVariant = { caller: 'strongest', header: 'standard' };

/** Consecutive variants differ in both caller and header. */
const variantOrder: readonly CallerVariant[] = [
  defaultVariant,
  { caller: 'apiKey', header: 'brand' },
  { caller: 'strongest', header: 'brand' },
  { caller: 'apiKey', header: 'standard' },
];

/** Those for which the target has credentials, the default first. */
export function callerVariants(run: Run): CallerVariant[] {
  const callers = callersOf(run);
  return variantOrder.filter(({ caller, header }) => {
    const isCarried = header === 'standard' || bearerOf(run, caller) !== undefined;
    return callers.includes(caller) && isCarried;
  });
}

/** Rotates through the variants. */
export const variantAt = (variants: readonly CallerVariant[], index: number): CallerVariant =>
  variants[index % variants.length] ?? defaultVariant;

/** Combines examples with variants in rotation, shifted by one each round because the examples may rotate as well. */
export const rotateVariants = <T extends object>(
  variants: readonly CallerVariant[],
  examples: readonly T[],
): (T & { readonly variant: CallerVariant })[] =>
  examples.map((example, index) => ({
    ...example,
    variant: variantAt(variants, index + Math.floor(index / variants.length)),
  }));

type SendAs = (as: Client) => Promise<Exchange>;

/** The default variant, and the others in which this request succeeds. Determined once per run. */
export async function acceptedVariants(run: Run, what: string, send: SendAs): Promise<CallerVariant[]> {
  const found = [defaultVariant];
  for (const variant of callerVariants(run).slice(1))
    if (await acceptsVariant(run, { what, variant }, send)) found.push(variant);
  return found;
}

interface Attempt {
  /** The request, by a name that is unique in the run. */
  readonly what: string;
  readonly variant: CallerVariant;
}

/** Whether this request succeeds in the variant. Determined once per run. */
export function acceptsVariant(run: Run, { what, variant }: Attempt, send: SendAs): Promise<boolean> {
  const { caller, header } = variant;
  return acceptedOfRun.get(run, `${what} by ${caller} in ${header}`, async () => {
    const exchange = await undefinedIfNotTried(send(clientFor(run, variant)));
    return exchange !== undefined && isSuccessful(exchange);
  });
}

export function clientFor(run: Run, { caller, header }: CallerVariant): Client {
  const client = clientOf(run, caller);
  if (header === 'standard') return client;
  return byBrandHeader(run, client, run.need(bearerOf(run, caller), 'a token that the brand header can carry'));
}

/** The same caller with its token in the brand header. */
export const byBrandHeader = (run: Run, client: Client, token: string): Client =>
  withHeaders(client, carriersOf(run).brand.with(`Bearer ${token}`));

/** A client with the brand header for each credential that it can carry. */
export const brandClients = (run: Run): Client[] =>
  callerVariants(run)
    .filter(({ header }) => header === 'brand')
    .map((variant) => clientFor(run, variant));

const bearerOf = ({ target }: Run, caller: ManagementCaller): string | undefined =>
  caller === 'strongest' ? strongestCaller(target).bearer : target.credentials.apiKey?.value;

/** Adds the headers to every request of the client. */
function withHeaders(client: Client, headers: HeaderInput): Client {
  const addHeaders = <T extends { headers?: HeaderInput }>(input: T): T => ({
    ...input,
    headers: { ...input.headers, ...headers },
  });
  return {
    call: (id, input = {}) => client.call(id, addHeaders(input)),
    send: (raw) => client.send(addHeaders(raw)),
    open: (id, input = {}, options) => client.open(id, addHeaders(input), options),
  };
}
