import { expect, test } from 'vitest'

import {
  type Answer,
  answerJson,
  answerStream,
  startFakeAccount,
} from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { until } from '../../../src/testing/until.ts'
import { refusing } from '../../walks/failover/pool.ts'
import { startCollector } from './collector.ts'
import type { ReceivedSpan } from './spans.ts'
import { spanOf, wholeTrace } from './whole.ts'

interface Media {
  readonly dialect: string
  readonly provider: 'openai' | 'gemini'
  readonly path: string
  readonly body: object
  readonly reply: object
  /** The events of a streamed reply, if the dialect has any. */
  readonly events?: readonly string[]
  readonly operation: string
}

const image = Buffer.from('a picture').toString('base64')
const usage = { input_tokens: 3, output_tokens: 5, total_tokens: 8 }
const video = { id: 'video_1', object: 'video', status: 'queued', progress: 0 }

const media: readonly Media[] = [
  {
    dialect: 'images',
    provider: 'openai',
    path: '/v1/images/generations',
    body: { model: 'gpt-image-1', prompt: 'canary prompt' },
    reply: { created: 1, data: [{ b64_json: image }], usage },
    events: [
      `event: image_generation.completed\ndata: ${JSON.stringify({
        type: 'image_generation.completed',
        b64_json: image,
        usage,
      })}\n\n`,
    ],
    operation: 'image_generation gpt-image-1',
  },
  {
    dialect: 'videos',
    provider: 'openai',
    path: '/v1/videos',
    body: { model: 'sora-2', prompt: 'canary prompt' },
    reply: video,
    operation: 'video_generation sora-2',
  },
  {
    dialect: 'video-operations',
    provider: 'gemini',
    path: '/v1beta/models/veo-3:predictLongRunning',
    body: { instances: [{ prompt: 'canary prompt' }], parameters: {} },
    reply: { name: 'models/veo-3/operations/1' },
    operation: 'video_generation veo-3',
  },
]

const never: Answer = () => {}

test.each(media)(
  'a call of $dialect leaves one whole trace, however it ends, and no secret in it',
  async ({ dialect, provider, path, body, reply, events, operation }) => {
    let script: Answer = answerJson(reply)
    await using collector = await startCollector()
    await using first = await startFakeAccount((...asked) => script(...asked))
    await using second = await startFakeAccount(answerJson(reply))
    const account = (id: string, url: string, priority: number) => ({
      id,
      provider,
      baseUrl: provider === 'openai' ? `${url}/v1` : url,
      apiKey: `key-of-${id}`,
      models: ['*'],
      speaks: [dialect],
      priority,
    })
    const gateway = await createTestGateway({
      accounts: [account('a', first.url, 0), account('b', second.url, 1)],
      telemetry: { traces: { endpoint: collector.url } },
    })
    const expected: [attributes: object, status: ReceivedSpan['status'], attempts: number][] = []

    async function story(
      answer: Answer,
      [attributes, status, attempts]: (typeof expected)[number],
      { fields = {}, signal }: { fields?: object; signal?: AbortSignal } = {},
    ): Promise<void> {
      script = answer
      expected.push([attributes, status, attempts])
      const asked = fetch(gateway.url + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${gateway.key}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ ...body, ...fields }),
        ...(signal && { signal }),
      })
      await asked.then((response) => response.text()).catch(() => {})
      await gateway.logged(expected.length)
    }

    const done = { 'http.response.status_code': 200, 'dragoman.stream.end': 'completed' }
    await story(answerJson(reply), [done, 'unset', 1])
    if (events) {
      const attributes = { ...done, 'dragoman.stream': true }
      await story(answerStream(events), [attributes, 'unset', 1], { fields: { stream: true } })
    }
    await story(refusing(400), [{ 'error.type': '400' }, 'unset', 1])
    await story(refusing(503), [{ ...done, 'dragoman.attempts': 2 }, 'unset', 2])
    const leaving = new AbortController()
    await story(
      (response) => {
        leaving.abort()
        // A video is billed, so that the gateway waits for the account all the same.
        setTimeout(() => response.writeHead(500).end('{}'), 20)
      },
      [{ 'dragoman.stream.end': 'client_cancelled' }, 'unset', 1],
      { signal: leaving.signal },
    )
    const sent = first.requests.length
    const drained = story(never, [{ 'error.type': 'drained' }, 'error', 1])
    await until(() => first.requests.length > sent)
    gateway.gateway.interrupt()
    await drained
    const lines = await gateway.logged(expected.length)
    await gateway[Symbol.asyncDispose]()

    for (const [index, [attributes, status, attempts]] of expected.entries()) {
      const spans = wholeTrace(collector.spans, lines[index]?.['trace_id'])
      const server = spans.find(({ kind }) => kind === 'server') as ReceivedSpan
      expect.soft(server.attributes, `${index}`).toMatchObject(attributes)
      expect.soft([index, server.status]).toEqual([index, status])
      const { spanId } = spanOf(spans, operation)
      const sentTo = spans.filter(({ parentId }) => parentId === spanId)
      expect.soft([index, sentTo.length]).toEqual([index, attempts])
    }
    expect(collector.spans.filter(({ kind }) => kind === 'server')).toHaveLength(expected.length)
    const bytes = collector.bytes.toString('latin1')
    for (const secret of ['key-of-', 'test-secret', 'canary prompt', image]) {
      expect(bytes.includes(secret), secret).toBe(false)
    }
  },
)
