import { describe, expect, test } from 'vitest'

import { until } from '../../../src/testing/until.ts'
import { accountOf, ask, connect, ways } from './asking.ts'
import { allGrounds } from './grounds.ts'
import { preferB, type Stage, startStage } from './stage.ts'

describe.concurrent.for(allGrounds())(
  'on $name, a store that cannot be written',
  ({ sdk, open }) => {
    test.for(ways)('costs no client its reply or its chain ($way)', async ({ stream }) => {
      await using stage = await startStage(open)
      const client = connect(stage, sdk)
      stage.broken.writes = true

      const first = await ask(client, {}, { stream })
      stage.configure(preferB)
      const second = await ask(client, { previous_response_id: first.id }, { stream })

      expect([first, second].map(accountOf)).toEqual(['a', 'a'])
      expect(await waiting(stage)).toBe(2)
      expect(stage.gateway.log.filter(({ level }) => level === 'error')).toMatchObject(
        [first, second].map(({ id }) => ({
          msg: 'binding not written; the write is retried',
          kind: 'response',
          id,
        })),
      )

      stage.broken.writes = false
      await until(async () => (await waiting(stage)) === 0)
      expect(accountOf(await ask(client, { previous_response_id: first.id }, { stream }))).toBe('a')
    })
  },
)

/** Bindings that have not been written, as operators see it. */
async function waiting({ gateway }: Stage): Promise<unknown> {
  const response = await fetch(`${gateway.url}/readyz?verbose`)
  const { bindings } = (await response.json()) as { bindings?: { waiting?: number } }
  return bindings?.waiting
}
