/** The credentials of the world to copy, and a form to mint another. */
import { useState } from 'preact/hooks';
import type { TargetFile } from '../../../../spec/formats/target-file.ts';
import { requestJson } from './send-request.ts';
import { CopyButton } from './copy-button.tsx';
import { MintForm } from './mint-form.tsx';
import type { MintedToken } from './mint-form.tsx';
import { useMock } from './mock-state.ts';
import { day } from './format.ts';
import { valueOf } from './target-value.ts';

export function Tokens() {
  const { target, act } = useMock();
  const [minted, setMinted] = useState<readonly MintedToken[]>([]);
  const mint = (request: object) =>
    act(async () => {
      const token = await requestJson<MintedToken>('tokens', 'POST', request);
      setMinted([token, ...minted]);
    }, 'The token was minted.');
  return (
    <>
      {minted.length > 0 && (
        <TokenTable
          title="Minted tokens"
          tokens={minted.map(({ token, kind, scopes, expiresAt }) => ({
            name: kind === 'jwt' ? 'JWT' : 'API key',
            description: `${scopes.join(' ')}, until ${day(expiresAt)}`,
            value: token,
          }))}
        />
      )}
      <TokenTable title="Tokens of the target" tokens={tokensOf(target)} />
      <MintForm mint={mint} />
    </>
  );
}

interface ListedToken {
  readonly name: string;
  readonly description: string;
  readonly value: string;
}

const descriptions = {
  admin: 'JWT of an account admin, scope admin',
  apiKey: 'long-lived API key of an account admin',
  member: 'may read metrics; not an account admin',
  workspaceAdmin: 'workspace admin; not an account admin',
  unrelated: 'valid, but its scope permits none of these operations',
  expired: 'was valid once',
} as const;

function tokensOf({ credentials, client }: TargetFile): ListedToken[] {
  const ofRoles = Object.entries(descriptions).map(([name, description]) => ({
    name,
    description,
    value: valueOf(credentials?.[name as keyof typeof descriptions]),
  }));
  const scoped = Object.entries(credentials?.scoped ?? {}).map(([name, credential]) => ({
    name,
    description: 'only this scope',
    value: valueOf(credential),
  }));
  const ofClient = [
    { name: 'client id', description: 'for /oauth/token', value: valueOf(client?.id) },
    { name: 'client secret', description: 'for /oauth/token', value: valueOf(client?.secret) },
  ];
  return [...ofRoles, ...scoped, ...ofClient].filter((token): token is ListedToken => token.value !== undefined);
}

function TokenTable({ title, tokens }: { title: string; tokens: readonly ListedToken[] }) {
  return (
    <section>
      <h2>{title}</h2>
      <ul class="rows tokens">
        {tokens.map(({ name, description, value }) => (
          <li key={value} class="token">
            <span class="name">
              {name} <span class="soft">{description}</span>
            </span>
            <code>{value}</code>
            <CopyButton text={value} what={name} />
          </li>
        ))}
      </ul>
    </section>
  );
}
