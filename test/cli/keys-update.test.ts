import { expect, test } from 'vitest'

import { openPlace } from './dragoman.ts'

test('settings of a key change, end and stay', async () => {
  await using place = await openPlace()
  const created = await place.call('keys create ci --models gpt-* --labels app=chat --expires 30d')
  const secret = created.stdout.trim()
  const update = await place.call('keys update ci --models claude-* --clear expires --json')
  expect(update.code).toBe(0)
  expect(JSON.parse(update.stdout)).toMatchObject({ id: 'ci', models: ['claude-*'] })
  expect(update.stdout).not.toContain(secret)
  const listed = JSON.parse((await place.call('keys list --json')).stdout) as object[]
  expect(listed).toMatchObject([{ id: 'ci', models: ['claude-*'], labels: { app: 'chat' } }])
  expect(listed[0]).not.toHaveProperty('expiresAt')
})

test('a change of a key that cannot be meant is refused', async () => {
  await using place = await openPlace()
  await place.call('keys create ci')
  for (const [words, code, said] of [
    ['keys update --team a', 2, 'Which key?'],
    ['keys update ci', 2, 'changes nothing'],
    ['keys update ci --clear secret', 2, '--clear takes'],
    ['keys update ci --team red --clear team', 2, 'is set and cleared'],
    ['keys update ci --team nowhere', 1, 'nowhere'],
    ['keys update other --models a', 1, 'other'],
  ] as const) {
    const result = await place.call(words)
    expect([words, result.code, result.stderr]).toEqual([
      words,
      code,
      expect.stringContaining(said),
    ])
  }
})
