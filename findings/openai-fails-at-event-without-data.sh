#!/usr/bin/env bash
# The stream of the openai client ends with a SyntaxError at a block that has an event name, but no data, such as a keep-alive
# `event: ping`: it parses the missing data as JSON. The WHATWG standard dispatches no event without data, so eventsource-parser
# yields none. Comments and blocks with only `id` or `retry` are no problem. A good guess: every keep-alive that the standard
# ignores is ignored; servers and proxies of this protocol choose their own.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --loglevel=error --no-audit --no-fund openai@7.59.0 eventsource-parser@4.1.3 >/dev/null
cat >try.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { createParser } from 'eventsource-parser';
import OpenAI from 'openai';

const { version } = JSON.parse(readFileSync('node_modules/openai/package.json', 'utf8'));
console.error = () => {}; // The client prints the data that it cannot parse.
const choices = [{ index: 0, delta: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }];
const chunk = { id: 'one', object: 'chat.completion.chunk', created: 1, model: 'demo', choices };

async function read(block) {
  const text = `${block}\n\ndata: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
  let events = 0;
  createParser({ onEvent: () => (events += 1) }).feed(text);
  const fetch = async () => new Response(text, { headers: { 'content-type': 'text/event-stream' } });
  const client = new OpenAI({ apiKey: 'one', baseURL: 'http://127.0.0.1/v1', maxRetries: 0, fetch });
  let result = '';
  try {
    const stream = await client.chat.completions.create({ model: 'demo', messages: [], stream: true });
    for await (const { choices: [{ delta }] } of stream) result += delta.content;
  } catch (error) {
    result = error.name;
  }
  console.log(`${block}: ${result}; eventsource-parser yields ${events} events`);
  return `${result} ${events}`;
}

console.log(`openai ${version}`);
const results = [await read(': ping'), await read('retry: 3000'), await read('event: ping')];
process.exitCode = results.join() === 'Hello 2,Hello 2,SyntaxError 2' ? 0 : 1;
JS
node try.mjs
