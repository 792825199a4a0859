import { bearer } from '../../src/kit/credential.ts'
import { defineDialect } from '../../src/contract/dialect.ts'
import { defineOperation } from '../../src/contract/operation.ts'
import { errorEnvelope } from '../../src/kit/error-envelope.ts'
import type { Outcome } from '../../src/contract/outcome.ts'
import { type GatewayPlugin, definePlugin } from '../../src/contract/plugin.ts'
import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'

/** `POST /v1/stitch`: an operation that sends two requests to one account. */
function stitching(): GatewayPlugin {
  const stitch = defineOperation({
    id: 'stitch',
    method: 'POST',
    paths: ['/v1/stitch'],
    auth: 'key',
    capability: 'stitch',
    summary: 'Ask twice',
    understand: (_exchange, { json }) => ({
      model: String(json['model']),
      stream: false,
      refersTo: [],
      edits: [],
      losses: [],
    }),
    async perform(_exchange, send) {
      await send({ path: '/v1/first' })
      return send({ path: '/v1/second' })
    },
  })
  const dialect = defineDialect({
    id: 'stitches',
    title: 'Stitches',
    credential: bearer,
    error: errorEnvelope,
    upstream: { base: 'bare', providers: { sandbox: {} }, headers: () => ({}) },
    operations: [stitch],
  })
  return definePlugin({ name: 'stitching', dialects: [dialect] })
}

type Around = NonNullable<GatewayPlugin['onAttempt']>

/** A gateway with that operation before two accounts, of which `a` is asked first, or before more of them. */
export async function startStitches(onAttempt: Around, count = 2) {
  await using starting = new AsyncDisposableStack()
  const outcomes: Outcome[] = []
  const start = async () => starting.use(await startFakeAccount(answerJson({ fine: true })))
  const [a, b] = [await start(), await start()]
  const accounts = Array.from({ length: count }, (_, priority) => ({
    id: ['a', 'b'][priority] ?? `more-${priority}`,
    provider: 'sandbox',
    baseUrl: priority === 0 ? a.url : b.url,
    models: ['thread'],
    priority,
  }))
  const around = definePlugin({
    name: 'around',
    onAttempt,
    onOutcome: ({ outcome }) => void outcomes.push(outcome),
  })
  const gateway = starting.use(
    await createTestGateway({ plugins: [stitching(), around], accounts }),
  )
  const started = starting.move()
  return {
    gateway,
    outcomes,
    /** What each account was asked for. */
    asked: () => ({
      a: a.requests.map(({ url }) => url),
      b: b.requests.map(({ url }) => url),
    }),
    stitch: (signal: AbortSignal | null = null) =>
      fetch(`${gateway.url}/v1/stitch`, {
        method: 'POST',
        signal,
        headers: {
          authorization: `Bearer ${gateway.key}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ model: 'thread' }),
      }),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}
