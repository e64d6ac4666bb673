/** The credentials of the world to copy, and a form to mint another. */
import { useState } from 'preact/hooks';
import type { TargetFile } from '../../../../spec/formats/target-file.ts';
import { ask } from './send-request.ts';
import { CopyButton } from './copy-button.tsx';
import { MintForm } from './mint-form.tsx';
import type { Minted } from './mint-form.tsx';
import { useMock } from './mock-state.ts';
import { day } from './format.ts';
import { valueOf } from './target-value.ts';

export function Tokens() {
  const { target, act } = useMock();
  const [minted, setMinted] = useState<readonly Minted[]>([]);
  const mint = (wanted: object) =>
    act(async () => {
      const token = await ask<Minted>('tokens', 'POST', wanted);
      setMinted([token, ...minted]);
    }, 'The token is minted.');
  return (
    <>
      {minted.length > 0 && (
        <TokenTable
          title="Minted here"
          tokens={minted.map(({ token, kind, scopes, expiresAt }) => ({
            name: kind === 'jwt' ? 'JWT' : 'API key',
            says: `${scopes.join(' ')}, until ${day(expiresAt)}`,
            value: token,
          }))}
        />
      )}
      <TokenTable title="Of the target" tokens={tokensOf(target)} />
      <MintForm mint={mint} />
    </>
  );
}

interface ShownToken {
  readonly name: string;
  readonly says: string;
  readonly value: string;
}

const meanings = {
  admin: 'JWT of an account admin, scope admin',
  apiKey: 'long-lived API key of an account admin',
  member: 'may read metrics, is not an account admin',
  workspaceAdmin: 'workspace admin, no account admin',
  unrelated: 'valid, with a scope that allows nothing here',
} as const;

function tokensOf({ credentials, client }: TargetFile): ShownToken[] {
  const ofRoles = Object.entries(meanings).map(([name, says]) => ({
    name,
    says,
    value: valueOf(credentials?.[name as keyof typeof meanings]),
  }));
  const scoped = Object.entries(credentials?.scoped ?? {}).map(([name, credential]) => ({
    name,
    says: 'this scope alone',
    value: valueOf(credential),
  }));
  const ofClient = [
    { name: 'client id', says: 'for /oauth/token', value: valueOf(client?.id) },
    { name: 'client secret', says: 'for /oauth/token', value: valueOf(client?.secret) },
  ];
  return [...ofRoles, ...scoped, ...ofClient].filter((token): token is ShownToken => token.value !== undefined);
}

function TokenTable({ title, tokens }: { title: string; tokens: readonly ShownToken[] }) {
  return (
    <section>
      <h2>{title}</h2>
      <ul class="rows tokens">
        {tokens.map(({ name, says, value }) => (
          <li key={value} class="token">
            <span class="name">
              {name} <span class="soft">{says}</span>
            </span>
            <code>{value}</code>
            <CopyButton text={value} what={name} />
          </li>
        ))}
      </ul>
    </section>
  );
}
