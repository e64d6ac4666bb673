/**
 * What is required, not imported. An import of node:http reads all its exports, and its WebSocket then loads the whole of
 * undici: 20 ms of every start and more. The module form of @koa/router has such an import.
 */
import { createRequire } from 'node:module';
import type RouterClass from '@koa/router';

const require = createRequire(import.meta.url);

export const { createServer, STATUS_CODES } = require('node:http') as typeof import('node:http');

export const Router = require('@koa/router') as typeof RouterClass;
export type Router = RouterClass;
