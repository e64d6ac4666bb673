/** The form for a new token: its scopes, roles and lifetime. */
import { numbersOf, valuesOf } from './form-values.ts';
import type { Values } from './form-values.ts';
import { useMock } from './mock-state.ts';

/** The response of POST /_mock/tokens. */
export interface MintedToken {
  readonly token: string;
  readonly kind: 'jwt' | 'api-key';
  readonly scopes: readonly string[];
  readonly expiresAt: string;
}

export function MintForm({ mint }: { mint: (request: object) => Promise<boolean> }) {
  const { facts, resources } = useMock();
  const workspaces = resources.filter(({ kind }) => kind === 'Workspace').map(({ name }) => name);
  return (
    <form class="panel" aria-label="New token" onSubmit={(event) => void mint(requestOf(valuesOf(event)))}>
      <h2>Mint a token</h2>
      <div class="fields">
        <Choice label="Kind" name="kind" options={['jwt', 'api-key']} />
        <Choice label="Workspace" name="workspace" options={['', ...workspaces]} />
        <Choice label="Account role" name="accountRole" options={['account-admin', 'account-member']} />
        <Choice label="Workspace role" name="workspaceRole" options={['workspace-admin', 'workspace-member']} />
        <label>
          Scopes (space-separated)
          <input name="scopes" defaultValue="admin" />
        </label>
        <label>
          Lifetime, seconds
          <input name="lifetimeSeconds" inputMode="numeric" placeholder="3600" />
        </label>
      </div>
      <details>
        <summary>All scopes</summary>
        <p class="soft">{facts.scopes.join(' ')}</p>
      </details>
      <button class="main">Mint</button>
    </form>
  );
}

function Choice({ label, name, options }: { label: string; name: string; options: readonly string[] }) {
  return (
    <label>
      {label}
      <select name={name}>
        {options.map((option) => (
          <option key={option} value={option}>
            {option || 'Default of the target'}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The mock validates the values. */
function requestOf(values: Values): object {
  const { scopes = '', ...rest } = values;
  return { ...rest, ...numbersOf(values, ['lifetimeSeconds']), scopes: scopes.split(/[\s,]+/).filter(Boolean) };
}
