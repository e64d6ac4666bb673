/** The longest window of each resolution of the metrics, and a longer one. */
import type { OpenApiParameter } from '../openapi-document.ts';
import type { Call, UnnamedElement } from './element.ts';

const DAY_MS = 86_400_000;

/** A year has 365 or 366 days (decision 003). */
const daysOf: Readonly<Record<string, readonly number[]>> = { P7D: [7], P90D: [90], P1Y: [365, 366] };

export function windowElements(parameters: readonly OpenApiParameter[]): UnnamedElement[] {
  const resolution = parameters.find(({ schema }) => schema['x-window-cap'] !== undefined);
  if (resolution === undefined) return [];
  const caps = resolution.schema['x-window-cap'] as Record<string, string>;
  return Object.entries(caps).flatMap(([value, cap]) => {
    const days = daysOf[cap] ?? [];
    const isOf = (call: Call, matches: (days: number) => boolean): boolean =>
      call.query.get(resolution.name) === value && matches(windowDays(call));
    return [
      {
        element: `query ${resolution.name} = ${value} over ${cap}`,
        kind: 'valid',
        isIn: (call) => isOf(call, (length) => days.includes(length)),
      },
      {
        element: `query ${resolution.name} = ${value} over more than ${cap}`,
        kind: 'invalid',
        isIn: (call) => isOf(call, (length) => length > Math.max(...days)),
      },
    ];
  });
}

/** NaN unless both ends are times. */
const windowDays = ({ query }: Call): number =>
  (Date.parse(query.get('endTime') ?? '') - Date.parse(query.get('startTime') ?? '')) / DAY_MS;
