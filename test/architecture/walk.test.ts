import { execFileSync } from 'node:child_process'

import { expect, test } from 'vitest'

/** The most files that one warm call of a story may execute. A change that needs fewer lowers its figure. */
const mostFiles: Readonly<Record<string, number>> = {
  'chat-stream': 102,
  'chat-json': 93,
  chained: 121,
  'translated-stream': 149,
  'video-create': 108,
  'video-poll': 85,
  'admin-accounts': 47,
}

test('a call executes no more files than before', { timeout: 120_000 }, () => {
  const text = execFileSync(process.execPath, ['scripts/walk/run.ts'], { encoding: 'utf8' })
  const counts = [...text.matchAll(/^(\S+): (\d+) files, \d+ functions$/gm)]
  expect(counts.map(([, name]) => name)).toEqual(Object.keys(mostFiles))
  for (const [, name = '', count] of counts) {
    expect(Number(count), name).toBeLessThanOrEqual(mostFiles[name] ?? 0)
  }
})
