/** integrations.get.*: what is told of a provider. */
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

/** Of the documented types as far as it is told, and not of another provider; how its own is written is not said. */
function misfits(exchange: Exchange, others: readonly string[]): Mismatch[] {
  const shown = returnedResource(exchange);
  if (exchange.response.status !== 200) return status(exchange, 200);
  if (shown === undefined)
    return [{ expected: 'provider info', actual: formatValue(exchange.response.json), exchange }];
  const { name } = shown.resource;
  return [
    ...exchange.shape.map(({ at, allowed, found }) => mismatch(shown, `${at} is ${allowed}`, found)),
    ...(typeof name === 'string' && others.includes(name)
      ? [mismatch(shown, 'the name of the integration that was asked for', `name "${name}"`)]
      : []),
  ];
}
