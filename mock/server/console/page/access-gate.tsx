/** Shows the console once the mock accepts requests; asks for the control token if it requires one. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { TargetFile } from '../../../../spec/formats/target-file.ts';
import { valuesOf } from './form-values.ts';
import { ask, Refused, rememberToken } from './send-request.ts';

export function AccessGate({ children }: { children: (target: TargetFile) => ComponentChildren }) {
  const [target, setTarget] = useState<TargetFile>();
  const [refusal, setRefusal] = useState<Error>();
  const enter = (): void => {
    ask<TargetFile>('target').then(setTarget, setRefusal);
  };
  useEffect(enter, []);
  if (target !== undefined) return <>{children(target)}</>;
  if (refusal === undefined) return <p class="wait">Asking the mock…</p>;
  return <AskForToken refusal={refusal} enter={enter} />;
}

function AskForToken({ refusal, enter }: { refusal: Error; enter: () => void }) {
  const [tried, setTried] = useState(false);
  const wantsToken = refusal instanceof Refused && refusal.status === 401;
  const submit = (event: SubmitEvent): void => {
    rememberToken(valuesOf(event)['token'] ?? '');
    setTried(true);
    enter();
  };
  return (
    <main class="gate">
      <h1>This mock is closed</h1>
      {wantsToken ? (
        <form onSubmit={submit}>
          <label>
            Control token
            <input name="token" type="password" required autocomplete="off" aria-describedby="why" />
          </label>
          <p id="why" class="soft">
            The one that the mock was started with, as --control-token. It is kept in this tab only.
          </p>
          <button class="main">Enter</button>
          {tried && <p role="alert">That is not the token.</p>}
        </form>
      ) : (
        <p role="alert">{refusal.message}</p>
      )}
    </main>
  );
}
