import { once } from 'node:events'
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'

import { expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { until } from '../../src/testing/until.ts'
import { type Place, addressesOf, withoutAdmin, openPlace } from '../cli/dragoman.ts'

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

/** A gateway with one account that sends all telemetry to a collector. */
function configure(place: Place, account: object): Promise<void> {
  const configuration = {
    store: 'memory:',
    keys: [{ id: 'test', secret: 'a-test-secret' }],
    accounts: [{ id: 'a', ...account }],
    telemetry: { traces: true, metrics: { otlp: true }, logs: { otlp: true, access: true } },
  }
  return place.write('dragoman.config.json', JSON.stringify(configuration))
}

test.each(['never answers', 'takes no connection'])(
  'a gateway whose traces, metrics and logs go to a collector that %s ends in time',
  async (kind) => {
    await using silence = await startSilence()
    await using sandbox = await startSandbox()
    await using place = await openPlace()
    await configure(place, {
      provider: 'sandbox',
      baseUrl: sandbox.url,
      apiKey: 'sandbox-key-a',
      models: ['sandbox/*'],
    })
    const isSilent = kind === 'never answers'
    const server = place.start(withoutAdmin, {
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

/** A collector that answers each export after this time, in milliseconds. `lost`: exports whose connection ended first. */
async function startSlowness(ms: number) {
  const lost: (string | undefined)[] = []
  const collector = await startFakeAccount((response, request) => {
    response.on('close', () => response.writableEnded || lost.push(request.url))
    if (ms < Infinity) setTimeout(() => void answerJson({})(response, request), ms)
  })
  const texts = () => collector.requests.map(({ body }) => body.toString())
  return Object.assign(collector, { lost, texts })
}

/** Sends a chat over the one connection of an agent; resolves with the id of its trace. */
async function chat(url: string, agent: Agent): Promise<string> {
  const headers = { authorization: 'Bearer a-test-secret', 'content-type': 'application/json' }
  const request = httpRequest(`${url}/v1/chat/completions`, { method: 'POST', agent, headers })
  request.end(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] }))
  const [reply] = (await once(request, 'response')) as [IncomingMessage]
  for await (const _ of reply);
  expect(reply.statusCode).toBe(200)
  return String(reply.headers['x-trace-id'])
}

/** In milliseconds: longer than collectors get for what there is when a gateway is idle first. */
const longCall = 1_500

test.each([300, Infinity])(
  'a call that begins while idle connections hold the end up has its own time (a collector takes %d ms)',
  async (ms) => {
    let answersAt = 0
    await using collector = await startSlowness(ms)
    await using account = await startFakeAccount(async (response, request) => {
      await until(() => performance.now() > answersAt)
      await answerJson({
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1,
        model: 'm',
        choices: [
          { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'hi' } },
        ],
      })(response, request)
    })
    await using place = await openPlace()
    await configure(place, {
      provider: 'openai-compatible',
      baseUrl: `${account.url}/v1`,
      apiKey: 'upstream-key',
      models: ['m'],
    })
    const server = place.start(withoutAdmin, {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    })
    const { clients } = await addressesOf(server)
    await using stack = new AsyncDisposableStack()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    stack.defer(() => agent.destroy())
    await chat(clients, agent)

    server.child.kill('SIGTERM')
    // The first end of its work: the collector gets all that there is.
    await until(() => collector.requests.some(({ url }) => url === '/v1/metrics'))
    answersAt = performance.now() + longCall
    const last = await chat(clients, agent)
    const ended = performance.now()
    expect(await server.ended).toMatchObject({ code: 0 })
    // Two seconds, on a busy machine more. Exporters themselves take ten.
    expect(performance.now() - ended).toBeLessThan(2 * longestEnd)
    const signals = collector.texts().filter((text) => text.includes(last))
    // Its spans, and its line.
    if (ms < Infinity) {
      expect(signals.length).toBeGreaterThanOrEqual(2)
      expect(collector.lost).toEqual([])
      expect(server.output.stdout + server.output.stderr).not.toContain('could not be exported')
    }
  },
)
