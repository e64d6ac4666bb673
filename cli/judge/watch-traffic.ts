/** Judges the exchanges of a proxy as they end, prints each newly broken rule, and records them. */
import { toRecord } from '../../suites/engine/exchange-log.ts';
import { resultText, type Style } from '../../reports/terminal.ts';
import { withoutCommands } from '../../reports/workflow-command.ts';
import type { ExchangeObserver } from '../proxy/start-proxy.ts';
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
  return {
    begin: queue.begin,
    end(origin, exchange) {
      const recorded = recordedOf(origin, exchange);
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
      ...(exchange.sentAt !== undefined && { startedAt: exchange.sentAt }),
      ...(unknown.size > 0 && { unknown: [...unknown] }),
    });
  };
