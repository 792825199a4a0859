import { expect } from 'vitest'

import type { Place } from '../dragoman.ts'

/** What `doctor --json` prints of one check. */
export interface PrintedFinding {
  readonly check: string
  readonly status: 'OK' | 'WARN' | 'FAIL'
  readonly message: string
  readonly fix: string | null
}

/** The findings of `doctor`, by the names of their checks; of several of one name, the gravest. */
export type Findings = ReadonlyMap<string, PrintedFinding>

const gravity = { OK: 0, WARN: 1, FAIL: 2 }

/** Runs `doctor`. Expects an exit code that fits the findings, a fix wherever one is needed, and no secret. */
export async function diagnose(
  place: Place,
  words = '',
  env: Record<string, string> = {},
): Promise<Findings> {
  const { code, stdout, stderr } = await place.call(`doctor --json ${words}`, env)
  const list = JSON.parse(stdout) as PrintedFinding[]
  expect(stdout + stderr).not.toContain('hush')
  expect(code).toBe(list.some(({ status }) => status === 'FAIL') ? 1 : 0)
  expect(list.filter(({ status, fix }) => (fix === null) !== (status === 'OK'))).toEqual([])
  const byName = new Map<string, PrintedFinding>()
  for (const one of list) {
    const known = byName.get(one.check)
    if (!known || gravity[one.status] > gravity[known.status]) byName.set(one.check, one)
  }
  return byName
}
