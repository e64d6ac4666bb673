/** The mock of the default world as `assay mock` of the package serves it: `npm run build` must have run. */
import { readInput, report } from '../served.ts';

const built = (file: string): string => new URL(`../../dist/${file}.js`, import.meta.url).href;
type StartMock = typeof import('../../mock/start-mock.ts');
type LimitHeapGrowth = typeof import('../../cli/mock/limit-heap-growth.ts');
const { startMock } = (await import(built('mock/start-mock'))) as StartMock;
const { limitHeapGrowth } = (await import(built('cli/mock/limit-heap-growth'))) as LimitHeapGrowth;
const { addresses, target } = await startMock(readInput());
limitHeapGrowth();
const { apiKey, admin } = target.credentials;
report({
  port: Number(new URL(addresses.host).port),
  prefix: '/v0',
  tokens: { apiKey: apiKey.value, jwt: admin.value },
});
