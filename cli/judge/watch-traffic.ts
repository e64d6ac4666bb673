/** Judges the exchanges of a proxy as they end, prints each newly broken rule, and records them. */
import { toRecord } from '../../suites/engine/exchange-log.ts';
import { resultText, type Style } from '../../reports/terminal.ts';
import { withoutCommands } from '../../reports/workflow-command.ts';
import type { ExchangeObserver } from '../proxy/start-proxy.ts';
import { trackWrites } from '../../suites/target/concurrent-writes.ts';
import { createOrderedQueue } from './in-order.ts';
import { recordedOf } from './recorded-forward.ts';
import type { RecordedExchange } from './recording/recorded-exchange.ts';
import { redactExchange } from './redact.ts';
import type { JudgeOptions, TrafficJudge } from './traffic-judge.ts';
import type { RecordFile } from './traffic-report.ts';
import type { TrafficTarget } from './traffic-target.ts';

export interface WatchOptions {
  readonly judge: TrafficJudge;
  readonly target: TrafficTarget;
  /** Writes text that includes its line ends. */
  readonly print: (text: string) => void;
  readonly style: Style;
}

export interface TrafficWatcher extends ExchangeObserver {
  /** Judges what still waits for an earlier exchange. */
  readonly flush: () => void;
}

/** Characters of a body in the file. */
const MAX_RECORDED = 2 ** 20;

export function watchTraffic({ judge, target, print, style }: WatchOptions): TrafficWatcher {
  const { see } = judge.openRecording(target);
  const queue = createOrderedQueue<RecordedExchange>({
    pass(recorded) {
      for (const result of see(recorded)) print(`\n${withoutCommands(resultText(result, style))}\n`);
    },
    onLate: () => judge.skip('response that took long'),
  });
  const beginWrite = trackWrites();
  const open = new Map<number, () => boolean>();
  return {
    begin(origin, method, path) {
      const number = queue.begin();
      open.set(number, beginWrite(method, origin + path));
      return number;
    },
    end(origin, exchange) {
      const isConcurrent = open.get(exchange.number)?.() === true;
      open.delete(exchange.number);
      const read = recordedOf(origin, exchange);
      const recorded = read && { ...read, isConcurrent };
      if (recorded === undefined) judge.skip('no response');
      queue.end(exchange.number, recorded, recorded === undefined ? 0 : lengthOf(recorded));
    },
    flush: queue.flush,
  };
}

const lengthOf = ({ requestBody, responseBody }: RecordedExchange): number =>
  [requestBody, responseBody].reduce((sum, body) => sum + ('text' in body ? body.text.length : 0), 0);

/** Returns what writes each judged exchange to the file. */
export const recordingTo =
  (file: RecordFile): NonNullable<JudgeOptions['onExchange']> =>
  ({ exchange, unknown }, number, { secrets, facts }) => {
    const quoted = redactExchange(exchange, secrets, facts.brand);
    file.write({
      ...toRecord(quoted, number, undefined, secrets.redaction, MAX_RECORDED),
      ...(unknown.size > 0 && { unknown: [...unknown] }),
    });
  };
