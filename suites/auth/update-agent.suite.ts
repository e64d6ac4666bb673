/** auth.update-agent.*: agent updates without a valid credential. Status and body of the refusals are documented. */
import * as fc from 'fast-check';
import { headerNames } from '../../spec/brand.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { eventually, isSuccessful } from '../target/eventually.ts';
import type { Fields } from '../json/fields.ts';
import { scaleRuns } from '../engine/for-all.ts';
import type { HeaderInput } from '../target/request-types.ts';
import {
  tracesOfRefusedUpdate,
  markedUpdate,
  refusedUpdate,
  unauthorizedMismatches,
  withRefusedUpdates,
} from '../kit/auth/agent-updates.ts';
import type { Updatable } from '../kit/auth/agent-updates.ts';
import { badCredentials, credentialChange, changeCredential, updateCredentials, renewed } from './bad-credentials.ts';
import type { AcceptedCredential } from './bad-credentials.ts';
import { carriersOf } from '../kit/auth/carriers.ts';
import type { PublishedKey } from '../generators/forged-jwt.ts';
import { readJwt } from '../generators/tampered-jwt.ts';
import { publishedKeys } from '../kit/oauth/published-keys.ts';
import { judgesInOrder } from '../judge/judgement.ts';
import { tracedOperations, tracesOfRefused } from '../kit/auth/seen-traces.ts';
import { callerOf, isAnonymous, isUnissued, refusedUpdateMismatches } from '../kit/auth/seen-callers.ts';

/** Further members of the spec that an update may carry. */
const specs: readonly Fields[] = [
  {},
  { enabled: true },
  { triggers: [{ type: 'http', configuration: { path: '/assay/callers' } }] },
  { runtime: { envs: [{ name: 'ASSAY', value: 'a' }] } },
];

judgesInOrder('auth.update-agent.missing-credential-401', tracedOperations, () => {
  const judgeTraces = tracesOfRefused(isAnonymous);
  return (seen) => {
    const traces = judgeTraces(seen);
    return seen.operation.id === 'updateAgent' && isAnonymous(seen) ? refusedUpdateMismatches(seen, 401) : traces;
  };
});

conforms('auth.update-agent.missing-credential-401', async (run) => {
  const headers = harmlessHeaders(run);
  const extraHeaders = fc.constantFrom(...Object.keys(headers));
  await withRefusedUpdates(run, async (agent, mark) => {
    await run.forAll(
      { extraHeaders, spec: fc.constantFrom(...specs) },
      async ({ extraHeaders: name, spec }) => {
        const update = refusedUpdate(run, agent, mark, spec);
        return unauthorizedMismatches(run, 401, () =>
          run.as('none').call('updateAgent', { ...update, headers: headers[name] ?? {} }),
        );
      },
      {
        runs: 0,
        examples: Object.keys(headers).flatMap((name) => specs.map((spec) => ({ extraHeaders: name, spec }))),
      },
    );
    await run.forEach(['an accepted update', 'another accepted update'], async () => [
      ...(await tracesOfRefusedUpdate(run, agent, mark)),
      ...(await mismatchesAfterAccepted(run, agent, mark)),
    ]);
  });
});

/** Detects a server that remembers the last caller per connection or agent. */
async function mismatchesAfterAccepted(run: Run, agent: Updatable, mark: string): Promise<Mismatch[]> {
  await run.client.call('updateAgent', markedUpdate(agent, 'accepted'));
  return unauthorizedMismatches(run, 401, () => run.as('none').call('updateAgent', refusedUpdate(run, agent, mark)));
}

/** Further headers of a request by name; none is a credential. */
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

judgesInOrder('auth.update-agent.bad-credential-401', tracedOperations, (facts) => {
  const judgeTraces = tracesOfRefused((seen) => callerOf(seen, facts) === 'other');
  return (seen) => {
    const traces = judgeTraces(seen);
    return seen.operation.id === 'updateAgent' && isUnissued(seen, facts) ? refusedUpdateMismatches(seen, 401) : traces;
  };
});

conforms('auth.update-agent.bad-credential-401', async (run) => {
  await withRefusedUpdates(run, async (agent, mark) => {
    const accepted = await acceptedCredentials(run, agent);
    const carriers = Object.values(carriersOf(run));
    const keys = await keysOf(run, accepted);
    const names = [...badCredentials(accepted, keys).keys()];
    const refused = async (carrier: (typeof carriers)[number], value: string): Promise<Mismatch[]> => {
      const update = { ...refusedUpdate(run, agent, mark), headers: carrier.with(value) };
      return unauthorizedMismatches(run, 401, () => run.as('none').call('updateAgent', update));
    };
    const refusedByName = async ({ carrier, credential }: { carrier: string; credential: string }) => {
      const found = carriers.find(({ name }) => name === carrier);
      const value = badCredentials(await renewed(run, accepted), keys).get(credential);
      return found === undefined || value === undefined ? [] : refused(found, value);
    };
    const carrier = fc.constantFrom(...carriers.map(({ name }) => name));
    const credential = fc.constantFrom(...names);
    const examples = names.flatMap((each) => carriers.map(({ name }) => ({ carrier: name, credential: each })));
    await run.forAll({ carrier, credential }, refusedByName, {
      runs: 0,
      examples,
      // Each change of a token by each header.
      classOf: (input) => [input.credential, `${input.credential.replace(/^[^"].*?: /, '')} by ${input.carrier}`],
    });
    await run.forAll(
      { carrier, change: credentialChange(accepted) },
      async ({ carrier: name, change }) => {
        const value = changeCredential(await renewed(run, accepted), change);
        const found = carriers.find((each) => each.name === name);
        return value === undefined || found === undefined ? [] : refused(found, value);
      },
      { runs: scaleRuns(run, 30) },
    );
  });
});

/** The keys of the issuer of the first JWT. */
async function keysOf(run: Run, accepted: readonly AcceptedCredential[]): Promise<readonly PublishedKey[]> {
  const [jwt] = accepted.flatMap(({ token }) => readJwt(token) ?? []);
  return jwt === undefined ? [] : publishedKeys(run, jwt.payload['iss']);
}

/** The credentials with which an update is accepted. */
async function acceptedCredentials(run: Run, agent: Updatable): Promise<AcceptedCredential[]> {
  const found: AcceptedCredential[] = [];
  for (const each of updateCredentials(run)) {
    const update = () => run.as(each.caller).call('updateAgent', markedUpdate(agent, 'accepted'));
    if (isSuccessful(await eventually(update, isSuccessful, 1))) found.push(each);
  }
  run.need(found.length > 0, 'a credential with which an agent update is accepted');
  return found;
}
