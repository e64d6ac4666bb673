/**
 * agents.triggers.callback-secret-is-the-servers: triggers with a client's secret or with a callbackUrl, and whose
 * secret they get.
 */
import * as fc from 'fast-check';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isOmitted } from '../json/fields.ts';
import type { Judged } from '../judge/judgement.ts';
import type { Facts, Seen } from '../judge/seen.ts';
import { configurationOf, isAcceptedUpdate, sentTriggers } from '../kit/agents/seen-update.ts';
import { agentKey, remember, seenResource } from '../kit/resources/seen-resource.ts';
import { isSuccessful } from '../target/eventually.ts';
import { formatValue } from '../expect/format-value.ts';
import { status } from '../expect/status.ts';
import { sampleCallbackUrl, sampleSchedule } from '../kit/provision/samples.ts';
import type { Exchange } from '../target/client.ts';
import { cron, triggersIn } from './triggers.ts';
import type { Trigger } from './triggers.ts';

/** Part of every secret that the run sends, and of none that an earlier run has sent. */
const clientSecret = (run: Run): string => `${run.prefix}not-the-servers`;

interface TriggerDraw {
  readonly type: string;
  readonly enabled: boolean;
  /** The trigger has an id. */
  readonly hasId: boolean;
  /** An asynchronous trigger has a callbackUrl. */
  readonly hasCallbackUrl: boolean;
  /** The trigger has a callbackSecret chosen by the client. */
  readonly sendsSecret: boolean;
}

export const triggerDraw: fc.Arbitrary<TriggerDraw> = fc.record({
  type: fc.constantFrom('http', 'http-async', 'cron'),
  enabled: fc.boolean(),
  hasId: fc.boolean(),
  hasCallbackUrl: fc.boolean(),
  sendsSecret: fc.boolean(),
});

/** A secret of the client in each type, and triggers that get one from the server. */
export const secretExamples: readonly (readonly TriggerDraw[])[] = [
  [{ type: 'http', enabled: true, hasId: false, hasCallbackUrl: false, sendsSecret: true }],
  [
    { type: 'http-async', enabled: true, hasId: false, hasCallbackUrl: true, sendsSecret: false },
    { type: 'http-async', enabled: false, hasId: true, hasCallbackUrl: true, sendsSecret: false },
  ],
  [{ type: 'http-async', enabled: true, hasId: true, hasCallbackUrl: true, sendsSecret: true }],
  [
    { type: 'http', enabled: true, hasId: true, hasCallbackUrl: false, sendsSecret: false },
    { type: 'cron', enabled: false, hasId: false, hasCallbackUrl: false, sendsSecret: true },
    { type: 'http-async', enabled: true, hasId: false, hasCallbackUrl: true, sendsSecret: false },
  ],
];

/** `mark`: part of the id and the path, so that the trigger is new. */
export function triggerFrom(run: Run, draw: TriggerDraw, index: number, mark = '') {
  const { type, enabled, hasId, hasCallbackUrl, sendsSecret } = draw;
  const { configuration } =
    type === 'cron' ? cron(sampleSchedule(run)) : { configuration: { path: `/assay/${index}${mark}` } };
  return {
    ...(hasId && { id: `assay-${index}${mark}` }),
    type,
    enabled,
    configuration: {
      ...configuration,
      ...(type === 'http-async' && hasCallbackUrl && { callbackUrl: sampleCallbackUrl(run) }),
      ...(sendsSecret && { callbackSecret: `${clientSecret(run)}-${index}` }),
    },
  };
}

/** A trigger that gets a secret from the server. */
export const withCallbackUrl = (run: Run): Trigger =>
  triggerFrom(run, { type: 'http-async', enabled: true, hasId: true, hasCallbackUrl: true, sendsSecret: false }, 0);

/** The trigger with this callbackSecret, chosen by the client in the server's format. */
export const withCallbackSecret = ({ configuration, ...trigger }: Trigger, callbackSecret: string): Trigger => ({
  ...trigger,
  configuration: { ...configuration, callbackSecret },
});

/** Replaces each character by one of its class; hexadecimal digits stay hexadecimal. */
const characterClasses: readonly (readonly [RegExp, string])[] = [
  [/\d/g, '7'],
  [/[a-f]/g, 'b'],
  [/[g-z]/g, 'k'],
  [/[A-F]/g, 'B'],
  [/[G-Z]/g, 'K'],
];

/**
 * Replaces each character after the last underscore by one of its class. Undefined if no secret is returned or it is
 * masked.
 */
export function secretOfSameFormat(exchange: Exchange): string | undefined {
  const secret = triggersIn(exchange)[0]?.configuration?.['callbackSecret'];
  if (!isSecret(secret)) return undefined;
  const start = secret.lastIndexOf('_') + 1;
  const other = characterClasses.reduce((text, [kind, one]) => text.replaceAll(kind, one), secret.slice(start));
  return other === secret.slice(start) ? undefined : secret.slice(0, start) + other;
}

/**
 * A client may send the secret that it has read. So one only counts as the client's if responses for this agent had secrets
 * before, none of them this one.
 */
export function judgeSecrets(facts: Facts): (seen: Seen) => Judged {
  const known = new Map<string, Set<string>>();
  /** By agent: triggers whose secret was returned, which a server may do only once. */
  const triggersWithSecret = new Map<string, Set<string>>();
  return (seen) => {
    const returned = seenResource(seen);
    if (returned === undefined || !isAcceptedUpdate(seen, facts)) return undefined;
    const key = agentKey(seen, facts, returned) ?? '';
    const before = known.get(key);
    const sent = sentTriggers(seen).map((trigger) => configurationOf(trigger)['callbackSecret']);
    const own = before === undefined ? [] : sent.filter(isSecret).filter((secret) => !before.has(secret));
    const triggers = triggersIn(seen.exchange);
    const secrets = triggers.map(({ configuration }) => configuration?.['callbackSecret']);
    const given = secrets.filter(isSecret).filter((secret) => !sent.includes(secret));
    if (key !== '' && given.length > 0) remember(known, key, new Set([...(before ?? []), ...given]));
    const earlier = triggersWithSecret.get(key) ?? new Set();
    const withSecret = triggers.filter(({ configuration }) => isSecret(configuration?.['callbackSecret']));
    if (key !== '' && withSecret.length > 0)
      remember(triggersWithSecret, key, new Set([...earlier, ...withSecret.map(({ id }) => String(id))]));
    const hasCallback = triggers.some(({ configuration }) => !isOmitted(configuration?.['callbackUrl']));
    if (own.length === 0 && !hasCallback) return undefined;
    return [
      ...own.flatMap((secret) => acceptedSecretMismatches(seen.exchange, secret)),
      ...missingSecretMismatches(seen.exchange, earlier),
    ];
  };
}

/** An update with a read-only field may be refused. */
export function serverSecretMismatches(run: Run, exchange: Exchange, isSent: boolean): Mismatch[] {
  if (!isSuccessful(exchange)) return status(exchange, isSent ? 400 : 200);
  return [...clientSecretMismatches(run, exchange), ...missingSecretMismatches(exchange)];
}

/** Whether a secret is missing that the server may have returned before, when the trigger was created. */
export const lacksSecret = (exchange: Exchange): boolean => missingSecretMismatches(exchange).length > 0;

/** `earlier`: ids of triggers whose secret was returned before. */
function missingSecretMismatches(exchange: Exchange, earlier: ReadonlySet<string> = new Set()): Mismatch[] {
  const withoutSecret = triggersIn(exchange).filter(
    ({ id, type, configuration }) =>
      type === 'http-async' &&
      !(isOmitted(configuration?.['callbackSecret']) && earlier.has(String(id))) &&
      !isOmitted(configuration?.['callbackUrl']) &&
      configuration?.['callbackUrl'] !== '' &&
      !isSecret(configuration?.['callbackSecret']),
  );
  return withoutSecret.slice(0, 1).map(({ configuration }) => ({
    expected: 'a callbackSecret for every callbackUrl',
    actual: `callbackSecret ${formatValue(configuration?.['callbackSecret'])}`,
    exchange,
  }));
}

/** Searches the whole response. */
export function clientSecretMismatches(run: Run, exchange: Exchange): Mismatch[] {
  return exchange.response.text.includes(clientSecret(run)) ? [clientSecretMismatch(exchange)] : [];
}

/** Checks only the triggers: a refusal may quote the secret, and a short mask may be part of other words. */
export function acceptedSecretMismatches(exchange: Exchange, secret: string): Mismatch[] {
  const returned = triggersIn(exchange).map(({ configuration }) => configuration?.['callbackSecret']);
  return isSuccessful(exchange) && returned.includes(secret) ? [clientSecretMismatch(exchange)] : [];
}

const clientSecretMismatch = (exchange: Exchange): Mismatch => ({
  expected: 'a callbackSecret from the server',
  actual: "the client's callbackSecret",
  exchange,
});

const isSecret = (value: unknown): value is string => typeof value === 'string' && value !== '';
