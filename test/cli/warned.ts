import { expect } from 'vitest'

import { openPlace } from './dragoman.ts'

/** What `check` warns of; it succeeds all the same. */
export async function warningsOf(configuration: object, words = ''): Promise<string[]> {
  await using place = await openPlace()
  await place.write('dragoman.config.json', JSON.stringify(configuration))
  const { code, stderr } = await place.call(`check ${words}`)
  expect(code).toBe(0)
  expect(stderr).toMatch(/^No problems\.\n$/m)
  return [...stderr.matchAll(/^Warning: (.*)$/gm)].map(([, words = '']) => words)
}
