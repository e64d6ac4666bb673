import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createGate, MAX_AT_ONCE, type Gate, type Priority } from './gate.ts';

const never = new AbortController().signal;

/** Lets requests enter until one has to wait; returns how many could. */
async function room(gate: Gate): Promise<number> {
  let entered = 0;
  const stop = new AbortController();
  for (;;) {
    const before = entered;
    gate.enter(stop.signal).then(
      () => (entered += 1),
      () => {},
    );
    await turn();
    if (entered === before) break;
  }
  stop.abort(new Error('enough'));
  await turn();
  for (let each = 0; each < entered; each++) gate.leave(0, false);
  return entered;
}

test('as many requests enter as the limit allows', async () => {
  expect(await room(createGate(3))).toBe(3);
});

test('requests that must be sent at the same time enter beyond the limit, before others', async () => {
  const gate = createGate(1);
  await gate.enter(never);
  const order: string[] = [];
  const enter = (name: string, priority: Priority) => gate.enter(never, priority).then(() => order.push(name));
  void enter('normal', 'normal');
  for (let each = 1; each <= MAX_AT_ONCE; each += 1) void enter(`at once ${each}`, 'at once');
  await turn();
  expect(order).toHaveLength(MAX_AT_ONCE - 1);
  expect(order).not.toContain('normal');
  gate.leave(0, false);
  await turn();
  expect(order.at(-1)).toBe(`at once ${MAX_AT_ONCE}`);
});

test('after a refusal, no requests enter beyond the limit', async () => {
  const gate = createGate(2);
  gate.leave(await gate.enter(never), true);
  let entered = 0;
  for (let each = 0; each < 3; each += 1) void gate.enter(never, 'at once').then(() => (entered += 1));
  await turn();
  expect(entered).toBe(1);
});

test('a waiting request enters when another one leaves', async () => {
  const gate = createGate(1);
  await gate.enter(never);
  let isIn = false;
  const second = gate.enter(never).then(() => (isIn = true));
  await turn();
  expect(isIn).toBe(false);
  gate.leave(0, false);
  await second;
});

test('each refusal halves the limit, down to one; successes raise it again, up to the maximum', async () => {
  const gate = createGate(16);
  const refuse = async () => {
    gate.leave(await gate.enter(never), true);
  };
  await refuse();
  expect(await room(gate)).toBe(8);
  for (let nth = 0; nth < 10; nth++) await refuse();
  expect(await room(gate)).toBe(1);
  for (let nth = 0; nth < 500; nth++) {
    gate.leave(await gate.enter(never), false);
  }
  expect(await room(gate)).toBe(16);
});

test('a request whose signal aborts does not enter', async () => {
  const gate = createGate(1);
  await gate.enter(never);
  const stop = new AbortController();
  const waiting = gate.enter(stop.signal);
  stop.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
  await expect(gate.enter(stop.signal)).rejects.toThrow('stopped');
  gate.leave(0, false);
  expect(await room(gate)).toBe(1);
});

test('refusals of requests that were in flight together lower the limit once', async () => {
  const gate = createGate(16);
  const entries = await Promise.all(Array.from({ length: 16 }, () => gate.enter(never)));
  for (const entry of entries) gate.leave(entry, true);
  expect(await room(gate)).toBe(8);
});

test('a normal request enters after three urgent ones', async () => {
  const gate = createGate(1);
  await gate.enter(never);
  const entered: string[] = [];
  const enter = (name: string, priority: Priority) =>
    gate.enter(never, priority).then(() => (entered.push(name), gate.leave(0, false)));
  const all = [...'abcdefgh'].map((name) => enter(name, 'urgent'));
  all.push(...['first', 'second', 'third'].map((name) => enter(name, 'normal')));
  gate.leave(0, false);
  await Promise.all(all);
  expect(entered).toEqual(['a', 'b', 'c', 'first', 'd', 'e', 'f', 'second', 'g', 'h', 'third']);
});

test('waiting requests enter by priority, and in order', async () => {
  const gate = createGate(1);
  await gate.enter(never);
  const entered: string[] = [];
  const enter = (name: string, priority?: Priority) =>
    gate.enter(never, priority).then(() => (entered.push(name), gate.leave(0, false)));
  const all = [
    enter('one'),
    enter('urgent', 'urgent'),
    enter('refused', 'again'),
    enter('two'),
    enter('urgent later', 'urgent'),
    enter('refused later', 'again'),
  ];
  gate.leave(0, false);
  await Promise.all(all);
  expect(entered).toEqual(['refused', 'refused later', 'urgent', 'urgent later', 'one', 'two']);
});
