import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

import { expect, test } from 'vitest'

import { noteWork } from '../../../src/lib/ticker.ts'
import { measureRuntime } from '../../../src/telemetry/metrics/runtime.ts'

/** Works for some milliseconds without giving way. */
function stall(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

async function longestDelay(runtime: ReturnType<typeof measureRuntime>): Promise<number> {
  const [[, [longest]] = [undefined, []]] =
    (await runtime.read()).get('nodejs.eventloop.lag.max') ?? []
  return longest as number
}

test('a stall of the start, before the first request, is no delay of the event loop', async () => {
  using runtime = measureRuntime('1.0.0')
  await new Promise<void>((resolve) => setImmediate(() => resolve(stall(600))))
  expect(await longestDelay(runtime)).toBe(0)
})

test.each([
  ['an event of a socket', true],
  ['an immediate', false],
])('a stall by %s is seen, by each of two scrapes', async (_, isOfSocket) => {
  using runtime = measureRuntime('1.0.0')
  // As the listener does at a request.
  noteWork()
  if (isOfSocket) {
    await using server = createServer((socket) => {
      socket.on('data', () => {
        stall(600)
        socket.end()
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.write('a')
    await once(socket.resume(), 'end')
    socket.destroy()
  } else await new Promise<void>((resolve) => setImmediate(() => resolve(stall(600))))
  for (let scrape = 0; scrape < 2; scrape++) {
    expect(await longestDelay(runtime)).toBeGreaterThan(0.5)
  }
})
