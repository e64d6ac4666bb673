/** Renders its children when the mock accepts requests; prompts for the control token if the mock requires one. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { TargetFile } from '../../../../spec/formats/target-file.ts';
import { valuesOf } from './form-values.ts';
import { requestJson, ErrorResponse, rememberToken } from './send-request.ts';

export function AccessGate({ children }: { children: (target: TargetFile) => ComponentChildren }) {
  const [target, setTarget] = useState<TargetFile>();
  const [error, setError] = useState<Error>();
  const enter = (): void => {
    requestJson<TargetFile>('target').then(setTarget, setError);
  };
  useEffect(enter, []);
  if (target !== undefined) return <>{children(target)}</>;
  if (error === undefined) return <p class="wait">Loading…</p>;
  return <TokenPrompt error={error} enter={enter} />;
}

function TokenPrompt({ error, enter }: { error: Error; enter: () => void }) {
  const [hasTried, setHasTried] = useState(false);
  const requiresToken = error instanceof ErrorResponse && error.status === 401;
  const submit = (event: SubmitEvent): void => {
    rememberToken(valuesOf(event)['token'] ?? '');
    setHasTried(true);
    enter();
  };
  return (
    <main class="gate">
      <h1>This mock requires access</h1>
      {requiresToken ? (
        <form onSubmit={submit}>
          <label>
            Control token
            <input name="token" type="password" required autocomplete="off" aria-describedby="why" />
          </label>
          <p id="why" class="soft">
            The value of --control-token that the mock was started with. It is stored in this tab only.
          </p>
          <button class="main">Enter</button>
          {hasTried && <p role="alert">Invalid control token.</p>}
        </form>
      ) : (
        <p role="alert">{error.message}</p>
      )}
    </main>
  );
}
