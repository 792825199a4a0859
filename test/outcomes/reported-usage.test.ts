import { expect, test } from 'vitest'

import type { Outcome } from '../../src/contract/outcome.ts'
import { GatewayError, type GatewayPlugin, definePlugin } from '../../src/index.ts'
import { until } from '../../src/testing/index.ts'
import { askChat, readUpTo, reply, stage } from '../third-party/chat.ts'

type Mapper = ReturnType<NonNullable<GatewayPlugin['onEvents']>>

const refuse = () => new GatewayError('plugin_rejected', 'Not this.')

/** How a plugin refuses a reply at its first text. */
const refusals: Record<string, Mapper> = {
  'throws an error': {
    map(event, emit) {
      if (event.type === 'delta') throw refuse()
      emit(event)
    },
  },
  'emits an error': {
    map(event, emit) {
      const { message, status } = refuse()
      emit(event.type === 'delta' ? { type: 'error', message, status } : event)
    },
  },
  'waits, and rejects': {
    waits: true,
    map: (event, emit) => (event.type === 'delta' ? Promise.reject(refuse()) : emit(event)),
  },
  'breaks its contract': {
    map(event, emit) {
      if (event.type !== 'finish') emit(event)
    },
  },
}

/** A budget that counts the tokens of each outcome, and a plugin that maps replies. */
function counting(mapper?: Mapper) {
  const outcomes: Outcome[] = []
  const estimates: (number | undefined)[] = []
  const budget = definePlugin({
    name: 'budget',
    onOutcome({ attempt, outcome }) {
      outcomes.push(outcome)
      estimates.push(attempt.outputTokens)
    },
  })
  const mapping = definePlugin({ name: 'mapping', ...(mapper && { onEvents: () => mapper }) })
  return { outcomes, estimates, plugins: [budget, mapping] }
}

const usage = { inputTokens: 3, outputTokens: 2 }

test.each(Object.entries(refusals))(
  'a reply counts, and is not estimated, although a plugin that %s refuses it',
  async (_, mapper) => {
    const { outcomes, estimates, plugins } = counting(mapper)
    await using scene = await stage({ plugins })
    expect((await askChat(scene.gateway)).status).toBeGreaterThanOrEqual(422)
    await until(() => outcomes.length === 1)
    expect(outcomes).toMatchObject([{ status: 'failed', fault: 'gateway', usage }])
    expect(estimates).toEqual([undefined])
  },
)

/** A chunk with the counts so far, as many servers write it. */
const countedFrame = `data: ${JSON.stringify({
  ...reply,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: { content: 'hello' }, finish_reason: null }],
})}\n\n`

const passing: Mapper = { map: (event, emit) => emit(event) }

test.each([
  ['passes as it is', undefined],
  ['a plugin maps', passing],
])(
  'a stream that %s counts as far as its account has counted when its client leaves',
  async (_, mapper) => {
    const { outcomes, plugins } = counting(mapper)
    await using scene = await stage({ plugins }, (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(countedFrame)
    })
    const leaving = new AbortController()
    const fields = { stream: true, stream_options: { include_usage: true } }
    const response = await askChat(scene.gateway, { fields, signal: leaving.signal })
    await readUpTo(response.body!.getReader(), 'hello')
    leaving.abort()
    await until(() => outcomes.length === 1)
    expect(outcomes).toMatchObject([{ status: 'cancelled', fault: 'client', usage }])
  },
)

test('a stream whose account has counted nothing has no usage', async () => {
  const { outcomes, plugins } = counting(passing)
  await using scene = await stage({ plugins }, (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(countedFrame.replace(/"usage":\{.*?\}/, '"usage":null'))
  })
  const leaving = new AbortController()
  const response = await askChat(scene.gateway, {
    fields: { stream: true },
    signal: leaving.signal,
  })
  await readUpTo(response.body!.getReader(), 'hello')
  leaving.abort()
  await until(() => outcomes.length === 1)
  expect(outcomes[0]?.usage).toBeUndefined()
})

test('a stream that breaks before its first output is not estimated where its account has counted it', async () => {
  const { outcomes, estimates, plugins } = counting()
  await using scene = await stage({ plugins }, (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(countedFrame.replace('hello', ''), () => response.destroy())
  })
  const fields = { stream: true, stream_options: { include_usage: true } }
  expect((await askChat(scene.gateway, { fields })).status).toBeGreaterThanOrEqual(500)
  await until(() => outcomes.length === 1)
  expect(outcomes).toMatchObject([{ status: 'failed', fault: 'account', usage }])
  expect(estimates).toEqual([undefined])
})
