import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

import { expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { until } from '../../src/testing/until.ts'
import { addressesOf, anyPorts, openPlace } from '../cli/dragoman.ts'

/** In milliseconds. Traces, metrics and logs that waited for each other would take longer. */
const longestEnd = 3_000

/** A collector that takes connections and never answers. `connections`: how many it has got. */
async function startSilence() {
  const sockets = new Set<{ destroy(): unknown }>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).resume()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

test.each(['never answers', 'takes no connection'])(
  'a gateway whose traces, metrics and logs go to a collector that %s ends in time',
  async (kind) => {
    await using silence = await startSilence()
    await using sandbox = await startSandbox()
    await using place = await openPlace()
    await place.write(
      'dragoman.config.json',
      JSON.stringify({
        store: 'memory:',
        keys: [{ id: 'test', secret: 'a-test-secret' }],
        accounts: [
          {
            id: 'a',
            provider: 'sandbox',
            baseUrl: sandbox.url,
            apiKey: 'sandbox-key-a',
            models: ['sandbox/*'],
          },
        ],
        telemetry: { traces: true, metrics: { otlp: true }, logs: { otlp: true, access: true } },
      }),
    )
    const isSilent = kind === 'never answers'
    const server = place.start(anyPorts, {
      OTEL_EXPORTER_OTLP_ENDPOINT: isSilent ? silence.url : 'http://127.0.0.1:9',
    })
    const { clients } = await addressesOf(server)
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        fetch(`${clients}/v1/chat/completions`, {
          method: 'POST',
          // The connections stay open, which holds the end up for a second.
          headers: {
            authorization: 'Bearer a-test-secret',
            'content-type': 'application/json',
          },
          body: JSON.stringify({
            model: 'sandbox/echo',
            messages: [{ role: 'user', content: 'Hello' }],
          }),
        }),
      ),
    )
    for (const reply of replies)
      expect([reply.status, (await reply.text()).length > 0]).toEqual([200, true])

    const began = performance.now()
    server.child.kill('SIGTERM')
    expect(await server.ended).toMatchObject({ code: 0 })
    expect(performance.now() - began).toBeLessThan(longestEnd)
    // All three have tried.
    if (isSilent) await until(() => silence.connections() >= 3)
  },
)
