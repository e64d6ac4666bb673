/** How much of a check that takes minutes a test run does: a sample in `npm test`, everything in `npm run nightly`. */

export const isNightly = process.env['ASSAY_NIGHTLY'] === '1';

export const sampleSize = (sample: number, all: number): number => (isNightly ? all : sample);
