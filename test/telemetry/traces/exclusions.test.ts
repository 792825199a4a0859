import { expect, test } from 'vitest'

import type { AccountConfig } from '../../../src/configuration/config.generated.ts'
import type { GatewayPlugin } from '../../../src/contract/plugin.ts'
import { until } from '../../../src/testing/until.ts'
import { type TracedStage, tracedStage } from './stage.ts'
import { spanOf } from './whole.ts'

const path = '/v1/chat/completions'
const plainBody = { model: 'sandbox/echo', messages: [{ role: 'user', content: 'hi' }] }
const second = { id: 'b', priority: 1 }

interface Row {
  readonly reason: string
  readonly message: string
  readonly accounts: readonly Partial<AccountConfig>[]
  readonly plugins?: GatewayPlugin[]
  /** Makes the call that an account cannot serve. */
  call(stage: TracedStage): Promise<Response>
}

async function ask(stage: TracedStage, model: string, body: object = {}): Promise<Response> {
  const reply = await stage.ask(path, { ...plainBody, model, ...body })
  await reply.text()
  return reply
}

/** Asks for a response, and goes on with it. */
async function goOn(stage: TracedStage): Promise<Response> {
  const model = 'sandbox/echo'
  const first = await stage.ask('/v1/responses', { model, input: 'hi' })
  const { id } = (await first.json()) as { id: string }
  const next = { model, input: 'go on', previous_response_id: id }
  const reply = await stage.ask('/v1/responses', next)
  await reply.text()
  return reply
}

const rows: readonly Row[] = [
  {
    reason: 'circuit_open',
    message: 'circuit open: 5 of 5 calls got 500',
    accounts: [{}, second],
    async call(stage) {
      for (let call = 0; call < 5; call++) await ask(stage, 'sandbox/status=500+only=a')
      return ask(stage, 'sandbox/status=500+only=a')
    },
  },
  {
    reason: 'refused',
    message: 'refused: a call got 401, and a check was refused as well',
    accounts: [{ apiKey: 'wrong' }, second],
    async call(stage) {
      await ask(stage, 'sandbox/echo')
      await until(() =>
        stage.gateway.log.some(({ msg }) => String(msg).startsWith('account excluded')),
      )
      return ask(stage, 'sandbox/echo')
    },
  },
  {
    reason: 'busy',
    message: 'it is at its limit of 1 call at once',
    accounts: [{ maxConcurrent: 1 }, second],
    async call(stage) {
      const model = 'sandbox/words=50+pace=100'
      const held = await stage.ask(path, { ...plainBody, model, stream: true })
      const reply = await ask(stage, 'sandbox/echo')
      await held.body?.cancel()
      return reply
    },
  },
  {
    reason: 'protocol',
    message: 'logprobs',
    accounts: [{ speaks: ['messages'] }, { ...second, speaks: ['generate'] }],
    call: (stage) => ask(stage, 'sandbox/echo', { logprobs: true }),
  },
  {
    reason: 'not_in_pool',
    message: 'the call belongs to another account',
    accounts: [{ id: 'b' }, { id: 'a', priority: 1 }],
    call: goOn,
  },
  {
    reason: 'other',
    message: 'it sleeps',
    accounts: [{}, second],
    plugins: [
      {
        name: 'house',
        onCandidates: ({ candidates }) =>
          candidates.map(({ account }) =>
            account.id === 'a' ? { excluded: { by: 'house', reason: 'it sleeps' } } : undefined,
          ),
      },
    ],
    call: (stage) => ask(stage, 'sandbox/echo'),
  },
]

test.each(rows)('the trace has an event for an account that is $reason', async (row) => {
  const { accounts, plugins = [], reason, message, call } = row
  await using stage = await tracedStage({ accounts, plugins })
  const reply = await call(stage)
  expect(reply.status).toBe(200)
  const { events } = spanOf(await stage.traceOf(reply), 'dragoman.route')
  expect(events).toMatchObject([
    {
      name: 'dragoman.account.excluded',
      attributes: {
        'dragoman.account.id': 'a',
        'dragoman.exclusion.reason': reason,
        'dragoman.exclusion.message': expect.stringContaining(message),
      },
    },
  ])
})

const house: GatewayPlugin = {
  name: 'house',
  onCandidates: ({ candidates }) => candidates.map(() => ({ rank: -2, why: 'it is near' })),
}

test.each([
  ['one account', 'only_candidate', [{}], {}],
  ['two accounts', 'weighted', [{}, second], {}],
  ['a cached prompt', 'affinity.prompt_cache_key', [{}, second], { prompt_cache_key: 'a' }],
] as const)('the route of a call to %s has the reason %s', async (_, reason, accounts, body) => {
  await using stage = await tracedStage({ accounts })
  await ask(stage, 'sandbox/echo', body)
  const reply = await ask(stage, 'sandbox/echo', body)
  const { attributes } = spanOf(await stage.traceOf(reply), 'dragoman.route')
  expect(attributes).toMatchObject({ 'dragoman.route.reason': reason })
  expect(attributes).not.toHaveProperty('dragoman.route.rule')
})

test('the rule of a plugin is named beside the reason `other`', async () => {
  await using stage = await tracedStage({ accounts: [{}, second], plugins: [house] })
  const { attributes } = spanOf(
    await stage.traceOf(await ask(stage, 'sandbox/echo')),
    'dragoman.route',
  )
  expect(attributes).toMatchObject({
    'dragoman.route.reason': 'other',
    'dragoman.route.rule': 'it is near',
  })
})

test('a call that goes on is bound to its account', async () => {
  await using stage = await tracedStage({ accounts: [{}, second] })
  const reply = await goOn(stage)
  const { attributes } = spanOf(await stage.traceOf(reply), 'dragoman.route')
  expect(attributes).toMatchObject({ 'dragoman.route.reason': 'binding' })
})
