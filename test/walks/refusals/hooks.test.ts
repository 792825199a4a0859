import { expect, test } from 'vitest'

import { GatewayError } from '../../../src/contract/errors.ts'
import type { Outcome, Reply } from '../../../src/contract/outcome.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import { type Answer, answerJson } from '../../../src/testing/fake-account.ts'
import { until } from '../../../src/testing/until.ts'
import { refusing, serving, startPool } from '../failover/pool.ts'
import { type Form, form, upToOutput } from '../streams/forms.ts'
import { type Gate, createGate, openStream } from '../streams/scripted.ts'
import { answering, askAs, keys, listing } from './keys.ts'

const { chat, responses } = form
/** A circuit opens after five failures in a row. */
const often = 5

/** Collects the outcomes of all attempts. */
function listening(outcomes: Outcome[]): GatewayPlugin {
  return definePlugin({
    name: 'listening',
    onOutcome: ({ outcome }) => void outcomes.push(outcome),
  })
}

const apology: Reply = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: '{"sorry":true}',
}

test.each([
  {
    what: 'a reply of its own',
    end(): Reply {
      return apology
    },
  },
  {
    what: 'an error of its own',
    end(): Reply {
      throw new GatewayError('plugin_rejected', 'Sorry.')
    },
  },
])('a hook that turns failures into $what does not hide them from the circuit', async ({ end }) => {
  const outcomes: Outcome[] = []
  const apologizing = definePlugin({
    name: 'apologizing',
    onAttempt: ({ next }) => next().catch(end),
  })
  const plugins = [apologizing, listening(outcomes)]
  await using pool = await startPool(chat, { a: refusing(500) }, { keys, plugins })

  for (let call = 0; call < often; call++) await askAs('alice', pool.gateway, chat)

  expect(outcomes.map(({ httpStatus }) => httpStatus)).toEqual(Array(often).fill(500))
  expect((await askAs('alice', pool.gateway, chat)).status).toBe(503)
  expect(pool.gateway.log).toMatchObject([{ msg: expect.stringContaining('circuit opened') }])
})

test('a probe whose failure a hook swallows leaves the next probe free', async () => {
  let time = Date.now()
  const apologizing = definePlugin({
    name: 'apologizing',
    onAttempt: ({ next }) => next().catch(() => apology),
  })
  await using pool = await startPool(
    chat,
    { a: refusing(500), b: serving(chat) },
    { keys, now: () => time, plugins: [apologizing] },
  )
  for (let call = 0; call < often; call++) await askAs('alice', pool.gateway, chat)
  const before = pool.accounts.a.requests.length

  for (let round = 1; round <= 3; round++) {
    time += 200_000
    await askAs('alice', pool.gateway, chat)
    expect(pool.accounts.a.requests).toHaveLength(before + round)
  }
})

/** An account whose streams stay open at their first output until the gate opens. */
function holding(form: Form, gate: Gate): Answer {
  return async (response) => {
    openStream(response, upToOutput(form))
    await gate.opened
    response.end(form.ending.join(''))
  }
}

test('the outcome is that of the stream that a hook keeps, not of the one that it drops', async () => {
  const outcomes: Outcome[] = []
  const racing = definePlugin({
    name: 'racing',
    async onAttempt({ next }) {
      const [first] = await Promise.all([next(), next()])
      return first
    },
  })
  const gate = createGate()
  const plugins = [racing, listening(outcomes)]
  await using pool = await startPool(responses, { a: holding(responses, gate) }, { keys, plugins })

  const response = await askAs('alice', pool.gateway, responses, { stream: true })
  await until(() => pool.accounts.a.requests.some(({ aborted }) => aborted))
  gate.open()

  expect(await response.text()).toContain('response.completed')
  expect(outcomes).toMatchObject([{ status: 'completed', produced: { id: 'resp_1' } }])
  // So the response can be continued.
  const fields = { previous_response_id: 'resp_1' }
  const next = await askAs('alice', pool.gateway, responses, { stream: true, fields })
  expect(next.status).toBe(200)
})

test('a hook that drops every reply leaves no attempt unsettled', async () => {
  const outcomes: Outcome[] = []
  const dropping = definePlugin({
    name: 'dropping',
    async onAttempt({ next }) {
      await next()
      return apology
    },
  })
  const plugins = [dropping, listening(outcomes)]
  const script = holding(chat, createGate())
  await using pool = await startPool(chat, { a: script }, { keys, plugins })

  await askAs('alice', pool.gateway, chat, { stream: true })

  expect(outcomes).toMatchObject([{ status: 'cancelled' }])
  await until(() => pool.accounts.a.requests.some(({ aborted }) => aborted))
})

test('a plugin may say what an unclear refusal is about', async () => {
  const knowing = definePlugin({ name: 'knowing', onRefusal: () => 'request' })
  const refuse = answering(403, { error: { message: 'Not in this region.' } })
  await using pool = await startPool(
    chat,
    { a: (...args) => (args[1].method === 'GET' ? listing : refuse)(...args), b: serving(chat) },
    { keys, plugins: [knowing] },
  )

  const response = await askAs('alice', pool.gateway, chat)

  expect(response.status).toBe(403)
  expect(await response.text()).toContain('Not in this region.')
  expect(pool.accounts.a.requests).toHaveLength(1)
})

test('a plugin that fails to say so is reported, and the next one is asked', async () => {
  const failing = definePlugin({
    name: 'failing',
    onRefusal() {
      throw new Error('no idea')
    },
  })
  const refuse = answering(403, { error: { message: 'Forbidden.' } })
  await using pool = await startPool(
    chat,
    { a: (...args) => (args[1].method === 'GET' ? listing : refuse)(...args) },
    { keys, plugins: [failing] },
  )

  expect((await askAs('alice', pool.gateway, chat)).status).toBe(403)
  expect(pool.gateway.log).toMatchObject([{ msg: 'failing: onRefusal failed' }])
})

test('an account cannot fill the memory with choices', async () => {
  const many = (form: Form) =>
    Array.from({ length: 1_100 }, (_, index) =>
      form === chat
        ? { choices: [{ index, delta: { content: 'x' } }] }
        : { candidates: [{ index, content: { parts: [{ text: 'x' }] } }] },
    )
  for (const one of [chat, form.generate]) {
    const frames = many(one).map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
    await using pool = await startPool(
      one,
      {
        a: (response) =>
          void response
            .writeHead(200, { 'content-type': 'text/event-stream' })
            .end(frames.join('')),
      },
      { keys },
    )
    const fields = one === chat ? { n: 8 } : { generationConfig: { candidateCount: 8 } }
    const response = await askAs('alice', pool.gateway, one, { stream: true, fields })
    expect(await response.text().catch(() => 'too many choices')).toContain('too many choices')
  }
})

test('a reply that names an unusable job is the account’s failure, not a 500', async () => {
  await using pool = await startPool(
    chat,
    { a: answerJson({ id: 'video_\ud800', object: 'video', status: 'queued', model: 'm' }) },
    { keys },
    (settings) => ({ ...settings, speaks: ['videos'] }),
  )

  const response = await fetch(`${pool.gateway.url}/v1/videos`, {
    method: 'POST',
    headers: { authorization: 'Bearer secret-of-alice', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', prompt: 'a cat' }),
  })

  expect(response.status).toBe(502)
})
