/** Says at the end of a test run which tests were left out for want of a browser. */
import type { Reporter, TestCase } from 'vitest/node';
import { browserPath } from './browser-path.ts';

export class LeftOut implements Reporter {
  readonly #names: string[] = [];

  onTestCaseResult(test: TestCase): void {
    const { relativeModuleId } = test.module;
    if (browserPath === undefined && relativeModuleId.startsWith('cli/browser/') && test.result().state === 'skipped')
      this.#names.push(`${relativeModuleId}: ${test.fullName}`);
  }

  onTestRunEnd(): void {
    if (this.#names.length === 0) return;
    const list = this.#names.map((name) => `  ${name}\n`).join('');
    process.stdout.write(`\nNo browser was found, so these were left out (CHROMIUM may name one):\n${list}`);
  }
}
