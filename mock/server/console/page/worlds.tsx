/** Snapshot and reset of this world, and the other worlds of the port. */
import type { WorldView } from '../../control/views.ts';
import { ask } from './send-request.ts';
import { numbersOf, valuesOf } from './form-values.ts';
import { useMock } from './mock-state.ts';
import { counted, day } from './format.ts';
import { WholeWorld } from './whole-world.tsx';

export function Worlds() {
  const { worlds, act } = useMock();
  const remove = (id: string) =>
    act(() => ask(`${first}worlds/${encodeURIComponent(id)}`, 'DELETE'), `The world ${id} is gone.`);
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
  const isHere = consoleOf(world) === location.pathname;
  return (
    <li class="world">
      <span class="name">
        <a href={consoleOf(world)} aria-current={isHere ? 'true' : undefined}>
          {id ?? 'first world'}
        </a>{' '}
        {isHere && <span class="soft">this page</span>}
      </span>
      <span class="soft">
        seed {seed} · {day(now)} {mode} · {counted(received, 'request')}
      </span>
      {id !== null && !isHere && (
        <button type="button" aria-label={`Remove the world ${id}`} onClick={() => void remove(id)}>
          Remove
        </button>
      )}
    </li>
  );
}

function NewWorld() {
  const { act } = useMock();
  const make = (event: SubmitEvent): void => {
    const values = valuesOf(event);
    const wanted = { ...values, ...numbersOf(values, ['seed']) };
    void act(() => ask(`${first}worlds`, 'POST', wanted), 'The world is made.');
  };
  return (
    <form class="panel" aria-label="New world" onSubmit={make}>
      <h2>New world</h2>
      <div class="fields">
        <label>
          Id
          <input name="id" placeholder="Chosen by the mock" />
        </label>
        <label>
          Seed
          <input name="seed" inputMode="numeric" placeholder="As this mock’s" />
        </label>
        <label>
          Clock
          <select name="clock">
            <option value="running">running</option>
            <option value="frozen">frozen</option>
          </select>
        </label>
        <label>
          Begins at, RFC 3339
          <input name="now" placeholder="2026-04-16T00:00:00Z" />
        </label>
      </div>
      <button class="main">Make the world</button>
    </form>
  );
}
