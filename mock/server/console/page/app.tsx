/** The console: the clock at the top, one section below. */
import { useEffect, useState } from 'preact/hooks';
import type { TargetFile } from '../../../../spec/formats/target-file.ts';
import type { Facts } from '../../control/views.ts';
import { requestJson } from './send-request.ts';
import { Calls } from './calls.tsx';
import { ClockBar } from './clock-bar.tsx';
import { Faults } from './faults.tsx';
import { Journal } from './journal.tsx';
import { Metrics } from './metrics.tsx';
import { MockContext, useMockState } from './mock-state.ts';
import type { Mock, Notice } from './mock-state.ts';
import { Navigation } from './navigation.tsx';
import { Resources } from './resources.tsx';
import { Responses } from './responses.tsx';
import { escapeInvisible } from './format.ts';
import { Tokens } from './tokens.tsx';
import { useJournal } from './use-journal.ts';
import { sections, useSection } from './use-section.ts';
import { useVerification } from './use-verification.ts';
import { Verify } from './verify.tsx';
import { Worlds } from './worlds.tsx';

export function App({ target: first, facts }: { target: TargetFile; facts: Facts }) {
  const { state, failure, refresh } = useMockState();
  const [target, setTarget] = useState(first);
  const [notice, setNotice] = useState<Notice>();
  const journal = useJournal();
  const verification = useVerification();
  const section = useSection();

  useEffect(() => {
    document.title = `${sections[section]} · ${target.name} · assay mock`;
  }, [section, target]);

  const act: Mock['act'] = async (action, message) => {
    try {
      await action();
      setTarget(await requestJson<TargetFile>('target')); // A reset or a snapshot may have changed the credentials.
      setNotice({ text: message, isError: false });
    } catch (error) {
      setNotice({ text: (error as Error).message, isError: true });
      return false;
    }
    await refresh();
    return true;
  };

  if (state === undefined) return <p class="wait">{failure ?? 'Loading…'}</p>;
  return (
    <MockContext.Provider value={{ ...state, target, facts, act }}>
      <header>
        <a class="skip" href="#content">
          Skip to content
        </a>
        <Masthead />
        <ClockBar />
        <Navigation section={section} requests={journal.entries.length} />
      </header>
      <main id="content" tabIndex={-1}>
        {failure !== undefined && (
          <p class="notice refusal" role="alert">
            {failure} The page shows the last known state.
          </p>
        )}
        <NoticeLine notice={notice} dismiss={() => setNotice(undefined)} />
        <h1 class="spoken">{sections[section]}</h1>
        {section === 'resources' && <Resources journal={journal} />}
        {section === 'journal' && <Journal journal={journal} />}
        {section === 'verify' && <Verify verification={verification} />}
        {section === 'faults' && <Faults />}
        {section === 'responses' && <Responses />}
        {section === 'calls' && <Calls />}
        {section === 'metrics' && <Metrics />}
        {section === 'tokens' && <Tokens />}
        {section === 'worlds' && <Worlds />}
      </main>
    </MockContext.Provider>
  );
}

function Masthead() {
  const world = /\/_mock\/w\/([^/]+)\//.exec(location.pathname)?.[1];
  return (
    <p class="masthead">
      <strong>assay mock</strong>
      <span class="soft">{world === undefined ? 'first world' : `world ${world}`}</span>
      <a href="docs">API reference</a>
    </p>
  );
}

function NoticeLine({ notice, dismiss }: { notice: Notice | undefined; dismiss: () => void }) {
  return (
    <div role={notice?.isError === true ? 'alert' : 'status'}>
      {notice !== undefined && (
        <p class={notice.isError ? 'notice refusal' : 'notice'}>
          {escapeInvisible(notice.text)}
          <button type="button" class="quiet" onClick={dismiss}>
            Dismiss
          </button>
        </p>
      )}
    </div>
  );
}
