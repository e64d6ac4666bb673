/** One of the two targets: sends steps, judges its exchanges, and knows which words are its own. */
import { bodyRequirement } from '../../spec/body-requirement.ts';
import { headerNames } from '../../spec/brand.ts';
import { operation } from '../../spec/operations.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { callerOf, strongestCaller } from '../engine/callers.ts';
import type { RunContext } from '../engine/run.ts';
import { ledgerParts } from '../engine/run.ts';
import { prefixOf } from '../engine/run-prefix.ts';
import { openJudgeBook } from '../judge/judge-book.ts';
import { createClient, sendCreate } from '../target/client.ts';
import type { Client, FailedRequest } from '../target/client.ts';
import type { Exchange } from '../target/exchange.ts';
import { isEventStream, messagesIn } from '../kit/mcp/messages.ts';
import { RESPONSE_SECONDS } from '../kit/mcp/post.ts';
import type { CallInput, Caller, HeaderInput } from '../target/request-types.ts';
import { MIN_SECRET_LENGTH } from '../target/redaction.ts';
import type { Target } from '../target/target.ts';
import { NotTried } from '../target/violation.ts';
import { requestOf } from '../target/wire-request.ts';
import { neutralizer } from './neutral.ts';
import { callInputOf, ownValues, withMeanings } from './step.ts';
import type { Meanings, Step, StepCaller } from './step.ts';

export interface Side {
  readonly target: Target;
  /** Sent with every request to a versioned operation. Undefined: two targets are compared, not two versions. */
  readonly version: string | undefined;
  readonly prefix: string;
  readonly own: object;
  /** Replaces the target's own words, such as the workspace with `<workspace>`. */
  readonly neutral: (text: string) => string;
  readonly send: (step: Step, meanings: Meanings) => Promise<Exchange>;
  /** The rules that the exchange breaks. Exchanges come in the order in which they were sent. */
  readonly judge: (exchange: Exchange) => readonly RequirementId[];
}

/** Names the directory of the sandbox below which the run writes. */
export const FILES = 'files';

export interface SideOptions {
  /** What steps may refer to besides the values of the target file. */
  readonly more?: object;
  readonly version?: string;
  /** Called with each request and its number. */
  readonly onExchange?: (exchange: Exchange | FailedRequest, number: number) => void;
}

/** `context`: of a run that is open on the target. */
export function openSide(context: RunContext, { more = {}, version, onExchange = () => {} }: SideOptions = {}): Side {
  const { target, runId } = context;
  const prefix = prefixOf(runId);
  const own = { ...ownValues(target), ...more };
  const book = openJudgeBook(target);
  const parts = {
    ...context,
    ...ledgerParts(context),
    record: onExchange,
    recordFailure: onExchange,
  };
  let hasFiles = false;

  async function send(step: Step, meanings: Meanings): Promise<Exchange> {
    const { caller, headers } = callerOfStep(step, context, meanings);
    const client = createClient(parts, caller);
    const input = callInputOf(step, meanings, target.brand);
    const pinned =
      version !== undefined && operation(step.operation).versioned
        ? { [headerNames(target.brand).version]: version }
        : {};
    const call = { ...input, headers: { ...input.headers, ...headers, ...pinned } };
    const sendStep = (): Promise<Exchange> => {
      if (step.text !== undefined) return sendText(client, caller, call);
      return /^post\w*Mcp$/.test(step.operation) ? sendMessage(client, call) : client.call(step.operation, call);
    };
    if (step.operation !== 'writeTree' || hasFiles || context.ledger === undefined) return sendStep();
    hasFiles = true;
    const name = meanings.nameAt(FILES);
    return sendCreate(await context.ledger.willCreate({ created: 'writeTree', name }), sendStep);

    /** A server may keep the stream open after its response. */
    async function sendMessage(as: Client, given: CallInput): Promise<Exchange> {
      const stream = await as.open(step.operation, given);
      const hasResponse = (text: string): boolean => isEventStream(stream) && messagesIn(stream, text).length > 0;
      await stream.until(hasResponse, RESPONSE_SECONDS);
      return stream.close();
    }

    function sendText(as: Client, by: Caller, given: typeof call): Promise<Exchange> {
      const request = requestOf(target, by, step.operation, given);
      const type = Object.keys(given.headers).some((each) => each.toLowerCase() === 'content-type');
      const json: HeaderInput = type ? {} : { 'Content-Type': 'application/json' };
      return as.send({
        ...request,
        headers: { ...json, ...request.headers },
        body: withMeanings(step.text!, meanings),
      });
    }
  }

  return {
    target,
    version,
    prefix,
    own,
    neutral: neutralizer(
      {
        ...target.addresses,
        workspace: target.workspace,
        account: target.account,
        brand: target.brand,
        ...target.resources,
        ...more,
      },
      prefix,
    ),
    send,
    judge(exchange) {
      const promised =
        exchange.operation &&
        bodyRequirement(exchange.operation, { status: exchange.response.status, body: exchange.response.json });
      const misfit =
        promised?.form === undefined && promised !== undefined && exchange.shape.length > 0
          ? [promised.requirement as RequirementId]
          : [];
      const rules = [...new Set<RequirementId>([...book.judge(exchange).keys(), ...misfit])];
      // The versions are given: whether a target lists them is not compared.
      return version === undefined ? rules : rules.filter((rule) => !rule.startsWith('versions.'));
    },
  };
}

function callerOfStep(
  { caller: named, isBranded = false }: Step,
  { target, redaction }: RunContext,
  meanings: Meanings,
): { caller: Caller; headers: HeaderInput } {
  const caller = callerNamed(named, target, meanings);
  if (typeof named === 'object') redaction.learn(caller.bearer!, 'SVC_ISSUED_TOKEN');
  if (named === 'cut') redaction.learn(caller.bearer!, 'SVC_CUT_TOKEN');
  if (named === 'cutKey') redaction.learn(caller.bearer!, 'SVC_CUT_API_KEY');
  if (!isBranded || caller.bearer === undefined) return { caller, headers: {} };
  const { authorization } = headerNames(target.brand);
  return { caller, headers: { Authorization: undefined, [authorization]: `Bearer ${caller.bearer}` } };
}

function callerNamed(named: StepCaller, target: Target, meanings: Meanings): Caller {
  if (named === 'strongest') return strongestCaller(target);
  if (named === 'invented') return { bearer: INVENTED };
  if (named === 'cut' || named === 'cutKey') {
    const { bearer = '' } = named === 'cut' ? strongestCaller(target) : callerOf('apiKey', target);
    if (bearer.length <= MIN_SECRET_LENGTH) throw new NotTried('a credential that can be cut');
    return { bearer: bearer.slice(0, -1) };
  }
  return typeof named === 'string' ? callerOf(named, target) : { bearer: withMeanings(named.token, meanings) };
}

/** A token that nobody has issued. */
const INVENTED = 'assay-invented-token-000000';
