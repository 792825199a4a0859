import { expect, test } from 'vitest'

import { drain } from '../../src/cli/drain.ts'
import type { Gateway } from '../../src/gateway.ts'
import type { Listener } from '../../src/http/listen.ts'

test('the deadline of a shutdown holds although the process has not stopped accepting yet', async () => {
  const stopped = Promise.withResolvers<void>()
  const said: string[] = []
  let inFlight = 1
  const gateway: Pick<Gateway, 'drain' | 'inflight' | 'interrupt'> = {
    drain: () => said.push('draining'),
    inflight: () => inFlight,
    interrupt() {
      inFlight = 0
      stopped.resolve()
    },
  }
  const listener: Pick<Listener, 'stopAccepting' | 'close' | 'lateRequests' | 'closeNow'> = {
    stopAccepting: () => stopped.promise,
    close: () => Promise.resolve(),
    lateRequests: () => 0,
    closeNow: () => {},
  }
  await drain({
    gateway: gateway as Gateway,
    listener: listener as Listener,
    say: (text) => said.push(text),
    onIdle: () => {},
    delayMs: 0,
    timeoutMs: 50,
  })
  expect(said).toEqual([
    'Shutting down: 1 exchange in flight. A second signal aborts them.',
    'The drain timeout has passed: aborting 1 exchange in flight.',
    'draining',
  ])
})
