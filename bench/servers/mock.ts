/** The mock of the default world, as a user would start it. */
import { startMock } from '../../mock/start-mock.ts';
import { report } from '../served.ts';

const { addresses, target } = await startMock();
report({ port: Number(new URL(addresses.host).port), token: target.credentials.admin.value });
