import { expect, test } from 'vitest'

import { placeThatHolds } from './open-handles.ts'

test.concurrent('a command that fails ends as well, with its exit code', async () => {
  await using place = await placeThatHolds()
  const { code, stderr } = await place.run('accounts disable nowhere')
  expect([code, stderr]).toEqual([1, expect.stringContaining('nowhere')])
})
