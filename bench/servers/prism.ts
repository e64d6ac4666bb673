/** Prism's mock server for the management document, with the options of `prism mock`. */
import { startPrismMock } from '../../cli/e2e/testing/prism-mocks.ts';
import { report, SAMPLE_TOKENS } from '../served.ts';

const { address } = await startPrismMock('management');
report({ port: Number(new URL(address).port), prefix: '', tokens: SAMPLE_TOKENS });
