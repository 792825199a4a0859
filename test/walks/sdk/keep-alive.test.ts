import { test } from 'vitest'

import { listeners } from './listeners.ts'
import { startWalk } from './walk.ts'

test.concurrent.for(listeners)(
  '$client listens on after a silence',
  async (listener, { expect }) => {
    await using walk = await startWalk({ timeouts: { keepAliveMs: 100 } })
    const hear = async (model: string) => {
      const heard: string[] = []
      await listener.listen(walk, model, heard)
      return heard.join('')
    }
    const text = 'the sandbox keeps talking so that'
    expect(await hear('sandbox/words=6+silent=000')).toBe(text)
    expect(await hear('sandbox/words=6+silent=300')).toBe(text)

    // The streams differ in nothing but what was sent in the silence.
    const [quick, silent] = await walk.gateway.logged(2)
    expect(silent?.bytes_out).toBeGreaterThan(Number(quick?.bytes_out))
  },
)
