import { spawnSync } from 'node:child_process'

import { expect, test } from 'vitest'

import { chooseMutations } from './choose.ts'
import { mutations } from './mutations.ts'

test('words choose the checks that have all of them', () => {
  const chosen = chooseMutations(mutations, ['streams', 'blank line'])
  expect(chosen.map(({ subject }) => subject)).toContain('streams')
  expect(chosen.length).toBeLessThan(mutations.length)
  for (const { subject, name } of chosen) expect(`${subject}: ${name}`).toContain('blank line')
  expect(chooseMutations(mutations, [])).toEqual(mutations)
})

test('words that no check has are an error, not a run of all', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['test/checks-matter/run.ts', 'streams', 'no such words'],
    { encoding: 'utf8', timeout: 60_000 },
  )
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toContain('"streams" and "no such words"')
})
