/** integrations.get.*: the fields of a provider. */
import { conforms } from '../engine/conforms.ts';
import { judges } from '../judge/judgement.ts';
import type { Target } from '../target/target.ts';
import { replyFindings } from '../../spec/validators.ts';
import type { Finding } from '../../spec/validators.ts';
import type { Run } from '../engine/conforms.ts';
import { sharedValue } from '../engine/shared-values.ts';
import { isFields } from '../json/fields.ts';
import type { Fields } from '../json/fields.ts';
import { status } from '../expect/status.ts';
import { callersOf, clientOf } from '../kit/provision/callers.ts';
import { mismatch, returnedResource, formatValue } from '../kit/resources/returned-resource.ts';
import type { Exchange } from '../target/client.ts';
import { isSuccessful } from '../target/eventually.ts';
import type { Mismatch } from '../target/violation.ts';

judges('integrations.get.provider-shape', 'getIntegration', ({ status: code, json, path, exchange }, facts) => {
  if (code !== 200 || exchange.request.method === 'HEAD') return undefined;
  const names = integrationNames(facts.resources ?? {});
  // The spelling of a name is not documented.
  const others = names.includes(path['integrationName'] ?? '')
    ? names.filter((name) => name !== path['integrationName'])
    : [];
  return misfits(exchange, others, replyFindings('getIntegration', code, json));
});

judges('integrations.get.entries-identified', 'getIntegration', ({ status: code, json, exchange }) => {
  const entries = code === 200 && isFields(json) ? entriesOf(exchange) : [];
  return entries.length === 0 ? undefined : entries.flatMap(unidentified);
});

conforms('integrations.get.provider-shape', async (run) => {
  const names = integrationNames(run.target.resources);
  const exchanges = await providerInfo.get(run, () => getProviders(run));
  for (const { exchange, integrationName } of exchanges)
    run.check(
      misfits(
        exchange,
        names.filter((name) => name !== integrationName),
      ),
    );
  const members = exchanges.flatMap(({ exchange }) => Object.keys(returnedResource(exchange)?.resource ?? {}));
  run.need(members.length, describeNone('provider info that is not empty', exchanges));
});

conforms('integrations.get.entries-identified', async (run) => {
  const exchanges = await providerInfo.get(run, () => getProviders(run));
  const entries = exchanges.flatMap(({ exchange }) => entriesOf(exchange));
  run.need(entries.length, describeNone('an organization or repository of an integration', exchanges));
  run.check(...entries.map(unidentified));
});

/** Names the first refusal if no integration was returned. */
function describeNone(need: string, exchanges: readonly ProviderInfo[]): string {
  const [first] = exchanges;
  if (first === undefined || exchanges.some(({ exchange }) => isSuccessful(exchange))) return need;
  return `${need}: GET /integrations/${first.integrationName} returned ${first.exchange.response.status}`;
}

interface ProviderInfo {
  readonly integrationName: string;
  readonly exchange: Exchange;
}

const providerInfo = sharedValue<readonly ProviderInfo[]>();

function integrationNames({ integration, mailIntegration }: Partial<Target['resources']>): string[] {
  return [...new Set([integration, mailIntegration])].filter((name) => name !== undefined);
}

/** By every caller. */
async function getProviders(run: Run): Promise<ProviderInfo[]> {
  const found = [];
  for (const integrationName of integrationNames(run.target.resources))
    for (const caller of callersOf(run)) {
      const exchange = await clientOf(run, caller).call('getIntegration', { path: { integrationName } });
      found.push({ integrationName, exchange });
    }
  return found;
}

/** The documented texts of an entry. */
const texts = {
  organizations: ['id', 'name', 'displayName', 'avatar_url'],
  repositories: ['id', 'name', 'organization', 'url'],
} as const;

interface Entry {
  readonly exchange: Exchange;
  readonly list: keyof typeof texts;
  readonly index: number;
  readonly entry: Fields;
}

function entriesOf(exchange: Exchange): Entry[] {
  const { resource = {} } = returnedResource(exchange) ?? {};
  return (['organizations', 'repositories'] as const).flatMap((list) => {
    const entries: readonly unknown[] = Array.isArray(resource[list]) ? resource[list] : [];
    return entries.flatMap((entry, index) => (isFields(entry) ? [{ exchange, list, index, entry }] : []));
  });
}

function unidentified({ exchange, list, index, entry }: Entry): Mismatch[] {
  if (texts[list].some((name) => typeof entry[name] === 'string' && entry[name] !== '')) return [];
  const at = `${list}[${index}]`;
  return [{ expected: `${at} with ${oneOf(texts[list])}`, actual: `${at}: ${formatValue(entry)}`, exchange }];
}

const oneOf = (names: readonly string[]): string => names.join(', ').replace(/, (?=[^,]*$)/, ' or ');

/** The documented types of the fields that are present, and not another provider. The spelling of its name is undocumented. */
function misfits(
  exchange: Exchange,
  others: readonly string[],
  shape: readonly Finding[] = exchange.shape,
): Mismatch[] {
  const returned = returnedResource(exchange);
  if (exchange.response.status !== 200) return status(exchange, 200);
  if (returned === undefined)
    return [{ expected: 'provider info', actual: formatValue(exchange.response.json), exchange }];
  const { name } = returned.resource;
  return [
    ...shape.map(({ at, allowed, found }) => mismatch(returned, `${at} is ${allowed}`, found)),
    ...(typeof name === 'string' && others.includes(name)
      ? [mismatch(returned, 'the name of the requested integration', `name "${name}"`)]
      : []),
  ];
}
