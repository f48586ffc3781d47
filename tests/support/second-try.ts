import { relative } from 'node:path';
import type { Reporter, TestCase } from 'vitest/node';

/** Names the tests that failed once and passed then: each is a question that stays open. */
export default class SecondTry implements Reporter {
  readonly #names: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) this.#names.push(`${relative('.', test.module.moduleId)}: ${test.fullName}`);
  }

  onTestRunEnd(): void {
    for (const name of this.#names) process.stdout.write(`PASSED ONLY AT THE SECOND TRY ${name}\n`);
  }
}
