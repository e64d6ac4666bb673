/** The state of the mock as the console last read it, and the context through which sections read and change it. */
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Facts, ClockView, FaultsView, ResourceView, ResponsesView, WorldView } from '../../control/views.ts';
import type { TargetFile } from '../../../../spec/formats/target-file.ts';
import { requestJson } from './send-request.ts';

export interface MockState {
  readonly clock: ClockView;
  readonly faults: FaultsView;
  readonly responses: ResponsesView;
  readonly resources: readonly ResourceView[];
  readonly worlds: readonly WorldView[];
}

export interface Notice {
  readonly text: string;
  readonly isError: boolean;
}

export interface Mock extends MockState {
  readonly target: TargetFile;
  readonly facts: Facts;
  /** Runs an action, refreshes, and shows a notice; resolves to whether it succeeded. */
  readonly act: (action: () => Promise<unknown>, message: string) => Promise<boolean>;
}

export const MockContext = createContext<Mock | undefined>(undefined);

export function useMock(): Mock {
  const mock = useContext(MockContext);
  if (mock === undefined) throw new Error('This component is not inside a Mock provider.');
  return mock;
}

async function readMockState(): Promise<MockState> {
  const [clock, faults, responses, { resources }, { worlds }] = await Promise.all([
    requestJson<ClockView>('clock'),
    requestJson<FaultsView>('faults'),
    requestJson<ResponsesView>('responses'),
    requestJson<Pick<MockState, 'resources'>>('resources'),
    requestJson<Pick<MockState, 'worlds'>>('worlds'),
  ]);
  return { clock, faults, responses, resources, worlds };
}

const POLL_INTERVAL_MS = 1000;

/** Polls every second while the page is visible: statuses depend on the clock and emit no events. */
export function useMockState(): {
  state: MockState | undefined;
  failure: string | undefined;
  refresh: () => Promise<void>;
} {
  const [state, setState] = useState<MockState>();
  const [failure, setFailure] = useState<string>();
  const refresh = async (): Promise<void> => {
    try {
      setState(await readMockState());
      setFailure(undefined);
    } catch (error) {
      setFailure(error instanceof TypeError ? 'The mock does not respond.' : (error as Error).message);
    }
  };
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isUnmounted = false;
    const poll = async (): Promise<void> => {
      if (!document.hidden) await refresh();
      if (!isUnmounted) timer = setTimeout(() => void poll(), POLL_INTERVAL_MS);
    };
    void poll();
    return () => {
      isUnmounted = true;
      clearTimeout(timer);
    };
  }, []);
  return { state, failure, refresh };
}
