/** Lists the tests that were skipped because no browser is installed. */
import type { Reporter, TestCase } from 'vitest/node';
import { browserPath } from './browser-path.ts';

const BROWSER_TESTS = 'cli/e2e/browser/';

export class SkippedTests implements Reporter {
  readonly #names: string[] = [];

  onTestCaseResult(test: TestCase): void {
    const { relativeModuleId } = test.module;
    if (browserPath === undefined && relativeModuleId.startsWith(BROWSER_TESTS) && test.result().state === 'skipped')
      this.#names.push(`${relativeModuleId}: ${test.fullName}`);
  }

  onTestRunEnd(): void {
    if (this.#names.length === 0) return;
    const list = this.#names.map((name) => `  ${name}\n`).join('');
    process.stdout.write(
      `\nSkipped because no browser was found. Install chromium or set CHROMIUM to its path:\n${list}`,
    );
  }
}
