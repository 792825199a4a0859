import type { ContractCheck } from '../../src/testing/contracts/check.ts'

/** The names of the checks that a broken dialect, codec or plugin does not pass. */
export async function brokenBy(checks: readonly ContractCheck[]): Promise<string[]> {
  const results = await Promise.allSettled(checks.map((check) => check.run()))
  return checks.filter((_, index) => results[index]?.status === 'rejected').map(({ name }) => name)
}
