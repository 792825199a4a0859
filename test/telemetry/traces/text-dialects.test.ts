import { expect, test } from 'vitest'

import type { Answer } from '../../../src/testing/fake-account.ts'
import { type Pool, refusing, serving, startPool } from '../../walks/failover/pool.ts'
import { ask, receive, receiveUntil } from '../../walks/streams/asking.ts'
import { type Form, forms } from '../../walks/streams/forms.ts'
import { cut, openStream } from '../../walks/streams/scripted.ts'
import { startCollector } from './collector.ts'
import { type ReceivedSpan } from './spans.ts'
import { spanOf, treeOf, wholeTrace } from './whole.ts'

type Ids = 'a' | 'b'

/** How an exchange goes, and what its spans have to say of it. */
interface Story {
  readonly script: (form: Form) => Answer
  readonly run: (pool: Pool<Ids>, form: Form) => Promise<unknown>
  /** Attributes of the server span. */
  readonly server: Readonly<Record<string, unknown>>
  readonly status: ReceivedSpan['status']
  readonly attempts: number
}

const opened =
  (after: (response: Parameters<Answer>[0]) => void = () => {}) =>
  (form: Form): Answer =>
  (response) => {
    openStream(response, [...form.announcements, ...form.output])
    after(response)
  }

async function begin(pool: Pool<Ids>, form: Form, signal?: AbortSignal) {
  const response = await ask(pool.gateway, form, signal ? { signal } : {})
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  await receiveUntil(reader, (text) => text.includes('Hello'))
  return reader
}

const stories: Readonly<Record<string, Story>> = {
  json: {
    script: serving,
    run: async (pool, form) => (await ask(pool.gateway, form, { stream: false })).text(),
    server: { 'http.response.status_code': 200, 'dragoman.stream.end': 'completed' },
    status: 'unset',
    attempts: 1,
  },
  stream: {
    script: serving,
    run: async (pool, form) => receive(await ask(pool.gateway, form)),
    server: { 'dragoman.stream': true, 'dragoman.stream.end': 'completed' },
    status: 'unset',
    attempts: 1,
  },
  'a client that leaves': {
    script: opened(),
    async run(pool, form) {
      const leaving = new AbortController()
      await begin(pool, form, leaving.signal)
      leaving.abort()
    },
    server: { 'dragoman.stream.end': 'client_cancelled', 'error.type': undefined },
    status: 'unset',
    attempts: 1,
  },
  'a refused request': {
    script: () => refusing(400),
    run: async (pool, form) => receive(await ask(pool.gateway, form)),
    server: { 'http.response.status_code': 400, 'error.type': '400' },
    status: 'unset',
    attempts: 1,
  },
  'a broken stream': {
    script: opened(cut),
    run: async (pool, form) => receive(await ask(pool.gateway, form)),
    server: { 'dragoman.stream.end': 'error', 'error.type': expect.any(String) },
    status: 'error',
    attempts: 1,
  },
  failover: {
    script: () => refusing(503),
    run: async (pool, form) => receive(await ask(pool.gateway, form)),
    server: { 'dragoman.stream.end': 'completed', 'dragoman.attempts': 2 },
    status: 'unset',
    attempts: 2,
  },
  drain: {
    script: opened(),
    async run(pool, form) {
      const reader = await begin(pool, form)
      pool.gateway.gateway.interrupt()
      await receiveUntil(reader, () => false).catch(() => {})
    },
    server: { 'dragoman.stream.end': 'drained', 'error.type': 'drained' },
    status: 'error',
    attempts: 1,
  },
}

test.each(forms)(
  'a $name call leaves one whole trace, however it ends, and no secret in it',
  async (form) => {
    await using collector = await startCollector()
    let script = serving(form)
    const pool = await startPool<Ids>(
      form,
      { a: (...asked) => script(...asked), b: serving(form) },
      { telemetry: { traces: { endpoint: collector.url } } },
    )
    const names = Object.keys(stories)
    for (const [index, name] of names.entries()) {
      const story = stories[name] as Story
      script = story.script(form)
      await story.run(pool, form)
      await pool.gateway.logged(index + 1)
    }
    const lines = await pool.gateway.logged(names.length)
    await pool[Symbol.asyncDispose]()

    for (const [index, name] of names.entries()) {
      const story = stories[name] as Story
      const { trace_id: traceId, span_id: spanId } = lines[index] as Record<string, unknown>
      const spans = wholeTrace(collector.spans, traceId)
      const server = spans.find(({ kind }) => kind === 'server') as ReceivedSpan
      expect.soft(server.attributes, name).toMatchObject(defined(story.server))
      expect.soft(server.spanId).toBe(spanId)
      expect.soft([name, server.status]).toEqual([name, story.status])
      const operation = spanOf(spans, form.provider === 'gemini' ? 'generate_content m' : 'chat m')
      const attempts = spans.filter(({ parentId }) => parentId === operation.spanId)
      expect.soft([name, attempts.length]).toEqual([name, story.attempts])
      if (name === 'failover') {
        const ends = attempts.map((one) => [one.attributes['error.type'] ?? '', one.status])
        expect.soft(new Map(ends as [string, string][])).toEqual(
          new Map([
            ['503', 'error'],
            ['', 'unset'],
          ]),
        )
        // The call is that of the account that answered.
        const port = Number(new URL(pool.accounts.b.url).port)
        expect.soft(operation.attributes['server.port']).toBe(port)
        // The route is that of the account that was asked first.
        const route = spanOf(spans, 'dragoman.route')
        expect.soft(route.attributes['dragoman.account.id']).toBe('a')
        expect.soft(operation.attributes['dragoman.account.id']).toBe('b')
      }
      expect
        .soft(treeOf(spans).slice(0, 3))
        .toEqual([server.name, '  dragoman.auth', '  dragoman.decode'])
      expect
        .soft(operation.events.filter((one) => one.name === 'dragoman.failover'))
        .toHaveLength(story.attempts - 1)
    }
    expect(collector.spans.filter(({ kind }) => kind === 'server')).toHaveLength(names.length)
    const bytes = collector.bytes.toString('latin1')
    for (const secret of ['key-of-', 'test-secret', 'hello', 'Hello']) {
      expect(bytes.includes(secret), secret).toBe(false)
    }
  },
)

function defined(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
