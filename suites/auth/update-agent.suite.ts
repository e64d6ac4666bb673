/** Agent update without a credential that counts: its refusals are documented by status and body. */
import * as fc from 'fast-check';
import { headerNames } from '../../spec/brand.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { eventually, isSuccessful } from '../target/eventually.ts';
import type { Fields } from '../json/fields.ts';
import { scaleRuns } from '../engine/for-all.ts';
import type { HeaderInput } from '../target/request-types.ts';
import { leftNoTrace, markedUpdate, refusedUpdate, refusedWith, refusing } from '../kit/auth/agent-updates.ts';
import type { Updatable } from '../kit/auth/agent-updates.ts';
import { badCredentials, change, changed, insidersOf, renewed } from './bad-credentials.ts';
import type { Inside } from './bad-credentials.ts';
import { carriersOf } from '../kit/auth/carriers.ts';

/** Further members of the spec that an update may carry. */
const specs: readonly Fields[] = [
  {},
  { enabled: true },
  { triggers: [{ type: 'http' }] },
  { runtime: { envs: [{ name: 'A', value: 'a' }] } },
];

conforms('auth.update-agent.missing-credential-401', async (run) => {
  const headers = harmlessHeaders(run);
  const beside = fc.constantFrom(...Object.keys(headers));
  await refusing(run, async (agent, mark) => {
    await run.forAll(
      { beside, spec: fc.constantFrom(...specs) },
      async ({ beside: name, spec }) => {
        const update = refusedUpdate(agent, mark, spec);
        return refusedWith(await run.as('none').call('updateAgent', { ...update, headers: headers[name] ?? {} }), 401);
      },
      { runs: 0, examples: Object.keys(headers).flatMap((name) => specs.map((spec) => ({ beside: name, spec }))) },
    );
    for (let time = 1; time <= TIMES; time += 1) {
      run.check(await leftNoTrace(run, agent, mark));
      run.check(await afterAccepted(run, agent, mark));
    }
  });
});

const TIMES = 2;

/** A server that remembers who called last, on this connection or for this agent, shows it now. */
async function afterAccepted(run: Run, agent: Updatable, mark: string): Promise<Mismatch[]> {
  await run.client.call('updateAgent', markedUpdate(agent, 'accepted'));
  return refusedWith(await run.as('none').call('updateAgent', refusedUpdate(agent, mark)), 401);
}

/** What a request may carry beside its credential, by name; none stands for one. */
function harmlessHeaders({ target }: Run): Readonly<Record<string, HeaderInput>> {
  const names = headerNames(target.brand);
  return {
    nothing: {},
    'the version': { [names.version]: '2026-04-16' },
    'the workspace': target.workspace === undefined ? {} : { [names.workspace]: target.workspace },
    'a thread': { [names.threadId]: 'assay' },
    'an origin of loopback': { 'X-Forwarded-For': '127.0.0.1' },
    'a wider Accept': { Accept: '*/*' },
  };
}

conforms('auth.update-agent.bad-credential-401', async (run) => {
  await refusing(run, async (agent, mark) => {
    const inside = await lettingIn(run, agent);
    const carriers = Object.values(carriersOf(run));
    const names = [...badCredentials(inside).keys()];
    const refused = async (carrier: (typeof carriers)[number], value: string): Promise<Mismatch[]> => {
      const update = { ...refusedUpdate(agent, mark), headers: carrier.with(value) };
      return refusedWith(await run.as('none').call('updateAgent', update), 401);
    };
    const byName = async ({ carrier, credential }: { carrier: string; credential: string }) => {
      const found = carriers.find(({ name }) => name === carrier);
      const value = badCredentials(await renewed(run, inside)).get(credential);
      return found === undefined || value === undefined ? [] : refused(found, value);
    };
    const carrier = fc.constantFrom(...carriers.map(({ name }) => name));
    const credential = fc.constantFrom(...names);
    const examples = names.flatMap((each) => carriers.map(({ name }) => ({ carrier: name, credential: each })));
    await run.forAll({ carrier, credential }, byName, { runs: 0, examples });
    await run.forAll(
      { carrier, change: change(inside) },
      async ({ carrier: name, change: made }) => {
        const value = changed(await renewed(run, inside), made);
        const found = carriers.find((each) => each.name === name);
        return value === undefined || found === undefined ? [] : refused(found, value);
      },
      { runs: scaleRuns(run, 60) },
    );
  });
});

/** Of the credentials that should let an update through, those that do: what is made out of another proves nothing. */
async function lettingIn(run: Run, agent: Updatable): Promise<Inside[]> {
  const found: Inside[] = [];
  for (const each of insidersOf(run)) {
    const update = () => run.as(each.caller).call('updateAgent', markedUpdate(agent, 'accepted'));
    if (isSuccessful(await eventually(update, isSuccessful, 1))) found.push(each);
  }
  run.need(found.length > 0, 'a credential with which an agent update is accepted');
  return found;
}
