import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { createAuditLog } from '../../src/audit/log.ts'
import { getKey } from '../../src/stores/keys.ts'
import { openStore } from '../../src/stores/open.ts'
import { startRedis } from '../../src/testing/redis.ts'
import { temporaryDirectory } from '../stores/temporary.ts'
import type { Point } from './killed-process.ts'

const script = join(import.meta.dirname, 'killed-process.ts')

/** What the store has when the process has ended there. */
const points: Record<Point, { result: string | undefined; hasKey: boolean }> = {
  'before the record': { result: undefined, hasKey: false },
  'after the record': { result: 'STARTED', hasKey: false },
  'before the act': { result: 'STARTED', hasKey: false },
  'after the act': { result: 'STARTED', hasKey: true },
  'before the result': { result: 'STARTED', hasKey: true },
  'after the result': { result: 'DONE', hasKey: true },
}

/** A process is killed at each of these points of an act. */
export function killedAt(kind: 'file' | 'Redis', at: readonly Point[]): void {
  test.each(at)(
    `on ${kind} a process that is killed %s leaves no act without its record`,
    async (point) => {
      await using directory = await temporaryDirectory()
      await using redis = kind === 'Redis' ? await startRedis() : undefined
      const url = redis?.url ?? `file:${directory.path}`
      const child = spawn(process.execPath, [script, url, point], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const ended = once(child, 'exit')
      try {
        const [line] = (await once(child.stdout, 'data')) as [Buffer]
        const [adminUrl, token] = JSON.parse(line.toString()) as [string, string]
        const answer = fetch(`${adminUrl}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body: '{"query":"mutation { createKey(input: {id: \\"team\\"}) { __typename } }"}',
        })
        await expect(answer).rejects.toThrow()
        expect((await ended)[1]).toBe('SIGKILL')
      } finally {
        child.kill('SIGKILL')
      }
      const store = await openStore(url, { cwd: '/' })
      const entries = await createAuditLog({ store }).positions({ limit: 10 })
      const { result, hasKey } = points[point]
      expect(entries.map(({ node }) => node?.result)).toEqual(result ? [result] : [])
      expect((await getKey(store, 'team')) !== undefined).toBe(hasKey)
      await store.close()
    },
    120_000,
  )
}
