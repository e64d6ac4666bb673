/** The newest calls of workloads, and what workloads sent: callbacks and messages. */
import { useEffect, useState } from 'preact/hooks';
import type { CallbackView, InvocationView, OutboxView } from '../../control/views.ts';
import { day, escapeInvisible } from './format.ts';
import { useMock } from './mock-state.ts';
import { requestJson } from './send-request.ts';

interface Loaded {
  readonly invocations: readonly InvocationView[];
  readonly outbox: OutboxView;
}

export function Calls() {
  const { clock } = useMock();
  const [loaded, setLoaded] = useState<Loaded>();
  useEffect(() => {
    Promise.all([requestJson<Loaded>('invocations'), requestJson<OutboxView>('outbox')]).then(
      ([{ invocations }, outbox]) => setLoaded({ invocations, outbox }),
      () => {}, // The page reports that the mock does not respond.
    );
  }, [clock]); // A new object with every poll, also while the time is frozen.
  if (loaded === undefined) return <p class="soft">Loading…</p>;
  const { invocations, outbox } = loaded;
  return (
    <>
      <h2>Calls of workloads</h2>
      <Rows items={invocations.map(callText)} none="No workload has been called." />
      <h2>Callbacks</h2>
      <Rows items={outbox.callbacks.map(callbackText)} none="No async request has a callback." />
      <h2>Messages</h2>
      <Rows
        items={outbox.messages.map(({ time, function: name, to, subject }) => [time, `${name} to ${to}: ${subject}`])}
        none="No tool has sent a message."
      />
    </>
  );
}

type Item = readonly [time: string, text: string];

function callText({ time, workload, by, inputs, status }: InvocationView): Item {
  return [time, `${workload}, ${by}: ${inputs} (${status})`];
}

function callbackText({ agent, trigger, url, attempts, dueAt }: CallbackView): Item {
  const results = attempts.map(({ status, error }) => status ?? error ?? 'no response');
  const next = dueAt === null ? [] : [`next at ${day(dueAt)}`];
  return [attempts.at(-1)?.time ?? dueAt ?? '', `${agent}, ${trigger} to ${url}: ${[...results, ...next].join(', ')}`];
}

/** The newest first. */
function Rows({ items, none }: { items: readonly Item[]; none: string }) {
  if (items.length === 0) return <p>{none}</p>;
  return (
    <ol class="rows">
      {items.toReversed().map(([time, text], index) => (
        <li class="rule" key={items.length - index}>
          <span>{escapeInvisible(text)}</span>
          <span class="soft">{time === '' ? '' : day(time)}</span>
        </li>
      ))}
    </ol>
  );
}
