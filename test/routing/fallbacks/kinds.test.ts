import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import type { FallbackKind } from '../../../src/contract/account.ts'
import { type Answer, answerJson } from '../../../src/testing/fake-account.ts'
import { callsTo, refusing, serving } from '../../walks/failover/pool.ts'
import { ask, receive } from '../../walks/streams/asking.ts'
import { type Form, form, forms } from '../../walks/streams/forms.ts'
import { createGate, openStream } from '../../walks/streams/scripted.ts'
import { explaining, otherOf, routeOf, startFallback } from './stage.ts'

/** An error in an envelope whose parts all providers share. */
const telling = (status: number, message: string): Answer =>
  answerJson({ error: { message, type: 'invalid_request_error', code: status } }, { status })

const tooLong = telling(400, "This model's maximum context length is 10 tokens.")
const flagged = telling(400, 'The content was flagged.')

const failures: readonly (readonly [what: string, kind: FallbackKind, answer: Answer])[] = [
  ['an account that fails', 'unavailable', refusing(500)],
  ['a connection that is reset', 'unavailable', (response) => void response.destroy()],
  ['a refused credential', 'unavailable', refusing(401)],
  ['a rate limit', 'rate_limited', refusing(429)],
  ['an input that is too long', 'context_length', tooLong],
  ['a request that is refused', 'refused', flagged],
]

/** An error that comes as the first event of a stream. */
const atStart =
  ({ announcements, inBandError }: Form): Answer =>
  (response) => {
    openStream(response, announcements)
    response.end(inBandError)
  }

describe.each(forms)('$name', (one) => {
  describe.each([
    ['native', one],
    ['translated', otherOf(one)],
  ])('a %s fallback', (_, spareForm) => {
    test.each(dailyRows(failures, forms.indexOf(one)))(
      'stands in after %s',
      async (_what, kind, answer) => {
        for (const stream of [false, true]) {
          await using stage = await startFallback(one, answer, serving(spareForm), {
            spareForm,
            on: [kind],
          })
          const response = await ask(stage.gateway, one, {
            model: 'fast',
            stream,
            headers: explaining,
          })
          const { text, reset } = await receive(response)
          expect({ status: response.status, reset }).toEqual({ status: 200, reset: false })
          expect(text).toContain('there')
          expect(text).toMatch(stream ? one.success : /there/)
          expect(response.headers.get('x-dragoman-account')).toBe('spare')
          expect(routeOf(response)).toMatchObject({
            account: 'spare',
            fallbacks: [{ model: 'main', next: 'spare', on: kind }],
          })
        }
      },
    )
  })

  test('a fallback stands in for an account of another dialect', async () => {
    const mainForm = otherOf(one)
    for (const [, kind, answer] of failures) {
      await using stage = await startFallback(one, answer, serving(one), { mainForm, on: [kind] })
      for (const stream of [false, true]) {
        const response = await ask(stage.gateway, one, { model: 'fast', stream })
        expect((await receive(response)).text).toContain('there')
        expect({ kind, account: response.headers.get('x-dragoman-account') }).toEqual({
          kind,
          account: 'spare',
        })
      }
    }
  })

  test('a fallback stands in for a stream that fails before its first output', async () => {
    await using stage = await startFallback(one, atStart(one), serving(one))
    const response = await ask(stage.gateway, one, { model: 'fast' })
    expect((await receive(response)).text).toMatch(one.success)
    expect(response.headers.get('x-dragoman-account')).toBe('spare')
  })

  test('no fallback stands in for a stream that fails after its first output', async () => {
    const gate = createGate()
    const broken: Answer = async (response) => {
      openStream(response, [...one.announcements, ...one.output])
      await gate.opened
      response.end(one.inBandError)
    }
    await using stage = await startFallback(one, broken, serving(one))
    const response = await ask(stage.gateway, one, { model: 'fast' })
    gate.open()
    const { text } = await receive(response)
    expect(text).not.toMatch(one.name === 'generate-array' ? form.generate.success : one.success)
    expect(callsTo(stage.spare)).toEqual([])
  })
})

const others = failures.flatMap(([what, kind, answer]) =>
  (['unavailable', 'rate_limited', 'context_length', 'refused', 'budget'] as const)
    .filter((on) => on !== kind)
    .map((on) => [what, on, answer] as const),
)

test.each(dailyRows(others))('after %s no fallback for %s stands in', async (_, on, answer) => {
  await using stage = await startFallback(form.chat, answer, serving(form.chat), { on: [on] })
  const response = await ask(stage.gateway, form.chat, { model: 'fast', stream: false })
  expect(response.status).toBeGreaterThanOrEqual(400)
  expect(callsTo(stage.spare)).toEqual([])
})

test('a context that a stream reports as exceeded is no other refusal', async () => {
  const answer: Answer = (response) => {
    openStream(response)
    const error = { message: 'too long', type: 'invalid_request_error' }
    response.end(
      `data: ${JSON.stringify({ error: { ...error, code: 'context_length_exceeded' } })}\n\n`,
    )
  }
  for (const [on, account] of [
    ['context_length', 'spare'],
    ['refused', null],
  ] as const) {
    await using stage = await startFallback(form.chat, answer, serving(form.chat), { on: [on] })
    const response = await ask(stage.gateway, form.chat, { model: 'fast' })
    await receive(response)
    if (account) expect(response.headers.get('x-dragoman-account')).toBe(account)
    else expect(callsTo(stage.spare)).toEqual([])
  }
})

test('a fallback stands in for a model whose accounts all rest', async () => {
  const resting = refusing(429, { 'retry-after': '60' })
  const options = { on: ['rate_limited'] as const }
  await using stage = await startFallback(form.chat, resting, serving(form.chat), options)
  const asking = { model: 'fast', stream: false, headers: explaining }
  await ask(stage.gateway, form.chat, asking)
  expect(routeOf(await ask(stage.gateway, form.chat, asking))).toMatchObject({
    account: 'spare',
    attempts: 1,
    fallbacks: [{ model: 'main', next: 'spare', on: 'rate_limited', error: 'rate_limited' }],
    excluded: [{ account: 'main-0', model: 'main', by: 'account-health' }],
  })
})
