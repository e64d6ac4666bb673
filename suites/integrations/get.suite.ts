/** integrations.get.*: the fields of a provider. */
import { conforms } from '../engine/conforms.ts';
import { status } from '../expect/status.ts';
import { callersOf, clientOf } from '../kit/provision/callers.ts';
import { mismatch, returnedResource, formatValue } from '../kit/resources/returned-resource.ts';
import type { Exchange } from '../target/client.ts';
import type { Mismatch } from '../target/violation.ts';

conforms('integrations.get.provider-shape', async (run) => {
  const { integration, mailIntegration } = run.target.resources;
  const names = new Set([integration, mailIntegration].filter((name) => name !== undefined));
  let members = 0;
  for (const integrationName of names)
    for (const caller of callersOf(run)) {
      const exchange = await clientOf(run, caller).call('getIntegration', { path: { integrationName } });
      run.check(
        misfits(
          exchange,
          [...names].filter((name) => name !== integrationName),
        ),
      );
      members += Object.keys(returnedResource(exchange)?.resource ?? {}).length;
    }
  run.need(members, 'provider info that is not empty');
});

/** The documented types of the fields that are present, and not another provider. The spelling of its name is undocumented. */
function misfits(exchange: Exchange, others: readonly string[]): Mismatch[] {
  const returned = returnedResource(exchange);
  if (exchange.response.status !== 200) return status(exchange, 200);
  if (returned === undefined)
    return [{ expected: 'provider info', actual: formatValue(exchange.response.json), exchange }];
  const { name } = returned.resource;
  return [
    ...exchange.shape.map(({ at, allowed, found }) => mismatch(returned, `${at} is ${allowed}`, found)),
    ...(typeof name === 'string' && others.includes(name)
      ? [mismatch(returned, 'the name of the requested integration', `name "${name}"`)]
      : []),
  ];
}
