/** Keeps the responses that pass through the proxy, and writes a world file of them at the end. */
import path from 'node:path';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { queryString } from '../../suites/target/wire-request.ts';
import type { ReadExchange } from '../judge/read-exchange.ts';
import type { TrafficTarget } from '../judge/traffic-target.ts';
import type { DeploymentResponse } from './response-contents.ts';
import { describeWorld, isJsonName, requireNoFile, worldText, writeWorldFile } from './world-text.ts';
import { worldOf } from './world-of.ts';

export interface WorldRecording {
  readonly see: (read: ReadExchange, number: number, target: TrafficTarget) => void;
  /** Writes the file, and returns sentences about it. Throws UsageError if it cannot be written. */
  readonly write: () => string[];
}

/** Later responses replace the earliest ones. */
const MAX_RESPONSES = 5000;

/** Throws UsageError if the file exists. */
export function recordWorld(file: string, { account, workspace, resources = {} }: TargetFile): WorldRecording {
  requireNoFile(file, '--record');
  const responses = new Map<string, DeploymentResponse>();
  let [droppedCount, unreadableCount] = [0, 0];
  let isSecret = (_text: string): boolean => false;
  return {
    see({ seen, unknown }, number, { secrets: { redaction } }) {
      isSecret = (text) => redaction.known(text) !== text;
      const { operation, path: parameters, query, status } = seen;
      if (!['management', 'host'].includes(operation.surface) || status < 200 || status > 299) return;
      if (unknown.has('the response body')) return void (unreadableCount += 1);
      const filled = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent((parameters[name] ?? '').toWellFormed()),
      );
      const response = {
        operation: operation.id,
        path: filled + queryString(query),
        json: seen.json,
      };
      // Only the latest response to a read counts; writes take effect in their order.
      const key = operation.method === 'GET' ? response.path : `${number}`;
      responses.delete(key);
      responses.set(key, response);
      if (responses.size <= MAX_RESPONSES) return;
      droppedCount += 1;
      responses.delete(responses.keys().next().value!);
    },
    write() {
      const world = worldOf([...responses.values()], {
        ...(account !== undefined && { account }),
        ...(workspace !== undefined && { workspace }),
        resources,
        takenAt: Date.now(),
        isSecret,
      });
      writeWorldFile(path.resolve(file), worldText(world.file, isJsonName(file)), '--record');
      const remarks = [
        ...(droppedCount > 0 ? [`Not in the world file: the earliest responses: ${droppedCount}.`] : []),
        ...(unreadableCount > 0
          ? [`Not in the world file: responses that are not JSON, incomplete, or too long: ${unreadableCount}.`]
          : []),
        ...world.remarks,
      ];
      return describeWorld({ ...world, remarks }, file);
    },
  };
}
