import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { dailySteps } from '../daily-rows.ts'
import {
  type Asked,
  type Request,
  type SceneAccount,
  explain,
  send,
  startScene,
} from './explaining.ts'

const textDialects = ['responses', 'chat', 'messages', 'generate'] as const

type TextDialect = (typeof textDialects)[number]

/** Fields that accounts of other dialects lack, adapt or cannot do without, beside ordinary ones. */
const fields: Record<TextDialect, readonly object[]> = {
  responses: [
    { temperature: 1 },
    { top_logprobs: 2 },
    { truncation: 'auto' },
    { metadata: { a: 'b' } },
    { background: true },
    { max_output_tokens: 40 },
    { prompt_cache_key: 'notes' },
  ],
  chat: [
    { seed: 7 },
    { n: 2 },
    { logit_bias: { 1: 1 } },
    { stop: ['x'] },
    { presence_penalty: 1 },
    { logprobs: true },
    { prompt_cache_key: 'notes' },
  ],
  messages: [
    { top_k: 3 },
    { stop_sequences: ['x'] },
    { metadata: { user_id: 'u' } },
    { container: 'container_1' },
    { temperature: 0.5 },
  ],
  generate: [
    { generationConfig: { topK: 3 } },
    { generationConfig: { seed: 7, candidateCount: 2 } },
    { safetySettings: [] },
    { cachedContent: 'cachedContents/1' },
  ],
}

const least: Record<TextDialect, object> = {
  responses: { input: 'hi' },
  chat: { messages: [{ role: 'user', content: 'hi' }] },
  messages: { max_tokens: 20, messages: [{ role: 'user', content: 'hi' }] },
  generate: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
}

interface Call {
  readonly dialect: TextDialect
  readonly model: string
  readonly extra: object
}

const call = fc.constantFrom(...textDialects).chain((dialect) =>
  fc
    .tuple(
      fc.constantFrom('one', 'two', 'other'),
      fc.subarray([...fields[dialect]], { maxLength: 2 }),
    )
    .map(([model, extras]): Call => ({
      dialect,
      model,
      extra: Object.assign({}, ...extras) as object,
    })),
)

/** `places`: the priorities, all different where the choice must be certain. */
function accountsWith(places: readonly number[]) {
  const account = (priority: number) =>
    fc.record({
      speaks: fc.subarray([...textDialects], { minLength: 1, maxLength: 2 }),
      enabled: fc.boolean().map((isOff) => !isOff),
      models: fc.constantFrom<Record<string, string>>(
        { one: 'sandbox/echo' },
        { two: 'sandbox/echo' },
        { one: 'sandbox/echo', two: 'sandbox/echo' },
      ),
      priority: fc.constant(priority),
    })
  return fc.tuple(...places.map(account)).map((list) => {
    return Object.fromEntries(list.map((one, index) => [`account-${index}`, one]))
  })
}

const policies = fc.constantFrom('drop' as const, 'reject' as const)

function requestOf({ dialect, model, extra }: Call): Request {
  const body = { ...least[dialect], ...extra }
  if (dialect === 'generate') return { path: `/v1beta/models/${model}:generateContent`, body }
  if (dialect === 'chat') return { path: '/v1/chat/completions', body: { model, ...body } }
  if (dialect === 'responses') return { path: '/v1/responses', body: { model, ...body } }
  const headers = { 'anthropic-version': '2023-06-01' }
  return { path: '/v1/messages', body: { model, ...body }, headers }
}

function askedOf({ dialect, model }: Call, { body }: Request): Asked {
  return { dialect, model, body }
}

interface Plan {
  readonly accounts: Readonly<Record<string, SceneAccount>>
  readonly losses: 'drop' | 'reject'
  readonly calls: readonly Call[]
}

function planWith(places: readonly number[]): fc.Arbitrary<Plan> {
  return fc.record({
    accounts: accountsWith(places),
    losses: policies,
    calls: fc.array(call, { minLength: 4, maxLength: 8 }),
  })
}

const runs = { numRuns: dailySteps(24) }

test('an explanation equals where the call then goes, what is left out, and what is lost', async () => {
  await fc.assert(
    fc.asyncProperty(planWith([0, 1, 2]), async ({ accounts, losses, calls }) => {
      await using scene = await startScene(accounts, { losses })
      for (const one of calls) {
        const request = requestOf(one)
        const explained = await explain(scene.gateway, askedOf(one, request))
        const served = await send(scene.gateway, request)
        expect(explained.chosen?.accountId ?? null).toBe(served.account)
        expect(explained.rule).toBe(served.route.rule)
        expect(
          explained.excluded.map(({ accountId, by, reason }) => [accountId, by, reason]),
        ).toEqual(served.route.excluded.map(({ account, by, reason }) => [account, by, reason]))
        expect(explained.losses.map(({ field }) => field)).toEqual(served.losses)
        if (explained.answer) {
          expect(explained.answer.status).toBe(served.status)
          expect(explained.answer.message).toBe(served.json.error?.message)
        }
      }
    }),
    runs,
  )
})

test('a weighted choice is among the explained candidates', async () => {
  await fc.assert(
    fc.asyncProperty(planWith([0, 0, 0]), async ({ accounts, losses, calls }) => {
      await using scene = await startScene(accounts, { losses })
      for (const one of calls) {
        const request = requestOf(one)
        const explained = await explain(scene.gateway, askedOf(one, request))
        const { account } = await send(scene.gateway, request)
        const likely = explained.candidates.map(({ accountId }) => accountId)
        expect(account === null ? [] : likely).toEqual(
          account === null ? likely : expect.arrayContaining([account]),
        )
        const sum = explained.candidates.reduce((total, { chance }) => total + chance, 0)
        expect(sum).toBeCloseTo(likely.length === 0 ? 0 : 1)
      }
    }),
    runs,
  )
})

test('a chain goes where its explanation says, whatever else could serve it', async () => {
  const model = fc.constantFrom('one', 'two')
  const plan = fc.record({ accounts: accountsWith([0, 0, 1]), models: fc.tuple(model, model) })
  await fc.assert(
    fc.asyncProperty(plan, async ({ accounts, models: [first, second] }) => {
      await using scene = await startScene(accounts)
      const begin = requestOf({ dialect: 'responses', model: first, extra: {} })
      const { json, status } = await send(scene.gateway, begin)
      if (status !== 200) return
      const explained = await explain(scene.gateway, {
        dialect: 'responses',
        model: second,
        previousResponseId: json.id!,
      })
      const served = await send(scene.gateway, {
        path: begin.path,
        body: { model: second, input: 'Hello', previous_response_id: json.id },
      })
      expect(explained.answer?.status ?? 200).toBe(served.status)
      if (served.status !== 200) return
      expect(explained.candidates.map(({ accountId }) => accountId)).toContain(served.account)
      expect(explained.pinned ? explained.chosen?.accountId : served.account).toBe(served.account)
      expect(explained.rule).toBe(served.route.rule)
    }),
    runs,
  )
})
