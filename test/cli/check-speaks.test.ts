import { expect, test } from 'vitest'

import { openPlace } from './dragoman.ts'

const keys = [{ id: 'team', secret: 'hush-0123456789abcdef' }]

/** What `check` warns of an account that speaks these. */
async function warningsOf(provider: string, speaks: string[], more: object = {}) {
  await using place = await openPlace()
  const accounts = [{ id: 'a', provider, apiKey: 'hush', models: ['*'], speaks, ...more }]
  await place.write('dragoman.config.json', JSON.stringify({ keys, accounts }))
  const { code, stderr } = await place.call('check')
  expect(code).toBe(0)
  return [...stderr.matchAll(/^Warning: (.*)$/gm)].map(([, words = '']) => words)
}

test.each([
  ['anthropic', 'videos'],
  ['gemini', 'images'],
  ['openai', 'messages'],
])('check warns of an account of %s that is said to speak %s', async (provider, family) => {
  expect(await warningsOf(provider, [family])).toEqual([
    `accounts[0].speaks: provider "${provider}" is not known to speak "${family}".`,
  ])
})

test('of none that speaks what its provider does', async () => {
  expect(await warningsOf('openai', ['responses', 'chat', 'images', 'videos'])).toEqual([])
  expect(await warningsOf('gemini', ['generate', 'video-operations'])).toEqual([])
})

test('of none at an address of its own, which may be another server', async () => {
  const baseUrl = 'http://127.0.0.1:9'
  expect(await warningsOf('anthropic', ['videos'], { baseUrl })).toEqual([])
  expect(await warningsOf('openai-compatible', ['videos', 'messages'], { baseUrl })).toEqual([])
})
