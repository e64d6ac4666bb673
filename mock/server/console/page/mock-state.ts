/** The console's current state of the mock, and the actions of its sections. */
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Facts, ClockView, FaultsView, ResourceView, WorldView } from '../../control/views.ts';
import type { TargetFile } from '../../../../spec/formats/target-file.ts';
import { ask } from './send-request.ts';

export interface Seen {
  readonly clock: ClockView;
  readonly faults: FaultsView;
  readonly resources: readonly ResourceView[];
  readonly worlds: readonly WorldView[];
}

export interface Notice {
  readonly text: string;
  readonly isRefusal: boolean;
}

export interface Mock extends Seen {
  readonly target: TargetFile;
  readonly facts: Facts;
  /** Runs an action, refreshes, and shows a notice; resolves to whether it succeeded. */
  readonly act: (deed: () => Promise<unknown>, said: string) => Promise<boolean>;
}

export const MockContext = createContext<Mock | undefined>(undefined);

export function useMock(): Mock {
  const mock = useContext(MockContext);
  if (mock === undefined) throw new Error('This component is not inside a Mock provider.');
  return mock;
}

async function look(): Promise<Seen> {
  const [clock, faults, { resources }, { worlds }] = await Promise.all([
    ask<ClockView>('clock'),
    ask<FaultsView>('faults'),
    ask<Pick<Seen, 'resources'>>('resources'),
    ask<Pick<Seen, 'worlds'>>('worlds'),
  ]);
  return { clock, faults, resources, worlds };
}

const PAUSE_MS = 1000;

/** Polls every second while the page is visible: statuses depend on the clock and emit no events. */
export function useSeen(): { seen: Seen | undefined; failure: string | undefined; lookAgain: () => Promise<void> } {
  const [seen, setSeen] = useState<Seen>();
  const [failure, setFailure] = useState<string>();
  const lookAgain = async (): Promise<void> => {
    try {
      setSeen(await look());
      setFailure(undefined);
    } catch (error) {
      setFailure(error instanceof TypeError ? 'The mock does not respond.' : (error as Error).message);
    }
  };
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let left = false;
    const round = async (): Promise<void> => {
      if (!document.hidden) await lookAgain();
      if (!left) timer = setTimeout(() => void round(), PAUSE_MS);
    };
    void round();
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, []);
  return { seen, failure, lookAgain };
}
