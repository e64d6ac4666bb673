/** Snapshots of this world, and the other worlds of the port. */
import type { WorldView } from '../../control/views.ts';
import { requestJson } from './send-request.ts';
import { numbersOf, valuesOf } from './form-values.ts';
import { useMock } from './mock-state.ts';
import { counted, day } from './format.ts';
import { WholeWorld } from './whole-world.tsx';

export function Worlds() {
  const { worlds, act } = useMock();
  const remove = (id: string) =>
    act(() => requestJson(`${first}worlds/${encodeURIComponent(id)}`, 'DELETE'), `The world ${id} was removed.`);
  return (
    <>
      <WholeWorld />
      <section>
        <h2>Worlds on this port</h2>
        <ul class="rows">
          {worlds.map((world) => (
            <WorldRow key={world.id} world={world} remove={remove} />
          ))}
        </ul>
      </section>
      <NewWorld />
    </>
  );
}

/** The `/_mock` of the first world, which always exists. */
const first = '/_mock/';

/** With the host name of this page, which may differ from the mock's. */
const consoleOf = ({ control }: WorldView): string => `${new URL(control).pathname}/`;

function WorldRow({ world, remove }: { world: WorldView; remove: (id: string) => Promise<boolean> }) {
  const { id, seed, now, mode, received } = world;
  const isCurrent = consoleOf(world) === location.pathname;
  return (
    <li class="world">
      <span class="name">
        <a href={consoleOf(world)} aria-current={isCurrent ? 'true' : undefined}>
          {id ?? 'first world'}
        </a>{' '}
        {isCurrent && <span class="soft">this page</span>}
      </span>
      <span class="soft">
        seed {seed} · {day(now)} {mode} · {counted(received, 'request')}
      </span>
      {id !== null && !isCurrent && (
        <button type="button" aria-label={`Remove the world ${id}`} onClick={() => void remove(id)}>
          Remove
        </button>
      )}
    </li>
  );
}

function NewWorld() {
  const { act } = useMock();
  const create = (event: SubmitEvent): void => {
    const values = valuesOf(event);
    const settings = { ...values, ...numbersOf(values, ['seed']) };
    void act(() => requestJson(`${first}worlds`, 'POST', settings), 'The world was created.');
  };
  return (
    <form class="panel" aria-label="New world" onSubmit={create}>
      <h2>New world</h2>
      <div class="fields">
        <label>
          Id
          <input name="id" placeholder="Chosen by the mock" />
        </label>
        <label>
          Seed
          <input name="seed" inputMode="numeric" placeholder="Same as this mock" />
        </label>
        <label>
          Clock
          <select name="clock">
            <option value="running">running</option>
            <option value="frozen">frozen</option>
          </select>
        </label>
        <label>
          Start time (RFC 3339)
          <input name="now" placeholder="2026-04-16T00:00:00Z" />
        </label>
      </div>
      <button class="main">Create the world</button>
    </form>
  );
}
