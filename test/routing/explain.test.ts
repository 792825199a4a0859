import { describe, expect, test } from 'vitest'

import { answerJson } from '../../src/testing/fake-account.ts'
import { definePlugin } from '../../src/contract/plugin.ts'
import { refusing, serving } from '../walks/failover/pool.ts'
import { form } from '../walks/streams/forms.ts'
import { nearlyAlways, type PairOptions, startPair } from './pair.ts'

const { chat, responses } = form

/** Lets everybody in who says `curious`, and may tell them everything. */
const curious = definePlugin({
  name: 'curious',
  onAuthenticate: ({ credential }) =>
    credential === 'curious'
      ? { keyId: 'curious', mayUse: () => true, mayExplain: true }
      : undefined,
})

const asking = { key: 'curious', headers: { 'x-dragoman-explain': '1' } }

function start(of = chat, options: PairOptions = {}) {
  return startPair(of, { b: { weight: nearlyAlways }, plugins: [curious], ...options })
}

describe('a client that asks how its call was routed is told', () => {
  test('that priority and weight decided', async () => {
    await using pair = await start()

    expect(await pair.ask(asking)).toMatchObject({
      status: 200,
      route: { rule: 'priority and weight', account: 'b', attempts: 1, excluded: [] },
    })
  })

  test('that an affinity decided', async () => {
    await using pair = await start()
    const notes = { ...asking, fields: { prompt_cache_key: 'notes' } }
    await pair.ask(notes)

    expect(await pair.ask(notes)).toMatchObject({
      route: { rule: 'affinity: prompt_cache_key', account: 'b', attempts: 1, excluded: [] },
    })
  })

  test('that the call belongs to an account', async () => {
    await using pair = await start(responses)
    const { json } = await pair.ask(asking)

    const chained = { ...asking, fields: { previous_response_id: json['id'] } }

    expect((await pair.ask(chained)).route).toEqual({
      rule: 'bindings',
      account: 'b',
      attempts: 1,
      attempted: [{ account: 'b', status: 200, ms: expect.any(Number) as number }],
      excluded: [{ account: 'a', by: 'bindings', reason: 'the call belongs to another account' }],
    })
  })

  test('who was left out, and why', async () => {
    await using pair = await start()
    pair.b.script = refusing(429, { 'retry-after': '60' })
    expect((await pair.ask(asking)).route).toMatchObject({
      account: 'a',
      attempts: 2,
      attempted: [
        { account: 'b', status: 429, error: 'upstream_rejected', ms: expect.any(Number) as number },
        { account: 'a', status: 200 },
      ],
    })

    expect((await pair.ask(asking)).route).toEqual({
      rule: 'priority and weight',
      account: 'a',
      attempts: 1,
      attempted: [{ account: 'a', status: 200, ms: expect.any(Number) as number }],
      excluded: [{ account: 'b', by: 'account-health', reason: 'cooling down: a call got 429' }],
    })
  })

  test('in a stream as well', async () => {
    await using pair = await start()

    const response = await fetch(`${pair.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer curious', 'x-dragoman-explain': 'yes' },
      body: JSON.stringify(chat.body('m', true)),
    })

    expect(JSON.parse(response.headers.get('x-dragoman-route') ?? '')).toMatchObject({
      account: 'b',
    })
    expect(await response.text()).toContain('[DONE]')
  })
})

describe('a client that gets an error is told as well', () => {
  test('when every account has failed', async () => {
    await using pair = await start()
    for (const account of [pair.a, pair.b]) account.script = refusing(500)

    expect(await pair.ask(asking)).toMatchObject({
      status: 500,
      route: { rule: 'priority and weight', account: 'a', attempts: 2, excluded: [] },
    })
  })

  test('when nobody can be asked', async () => {
    await using pair = await start()
    for (const account of [pair.a, pair.b]) {
      account.script = refusing(503, { 'retry-after': '60' })
    }
    await pair.ask(asking)

    const reply = await pair.ask(asking)

    const cause = { by: 'account-health', reason: 'cooling down: a call got 503' }
    expect(reply).toMatchObject({ status: 503, route: { account: null, attempts: 0 } })
    expect(reply.route).toHaveProperty('excluded', [
      { account: 'a', ...cause },
      { account: 'b', ...cause },
    ])
  })

  test('when the account that its call belongs to cannot be had', async () => {
    await using pair = await start(responses)
    pair.b.script = answerJson({ ...responses.reply, id: 'resp_of_b' })
    const { json } = await pair.ask(asking)
    pair.b.script = refusing(429, { 'retry-after': '60' })
    await pair.ask(asking)

    const chained = { ...asking, fields: { previous_response_id: json['id'] } }

    expect(await pair.ask(chained)).toMatchObject({
      status: 503,
      route: {
        account: null,
        attempts: 0,
        excluded: [
          { account: 'a', by: 'bindings' },
          { account: 'b', by: 'account-health', reason: 'cooling down: a call got 429' },
        ],
      },
    })
  })

  test('when its request never came so far', async () => {
    await using pair = await start()

    expect(await pair.ask({ ...asking, fields: { temperature: 9 } })).toMatchObject({
      status: 400,
      route: { rule: null, account: null, attempts: 0, excluded: [] },
    })
  })
})

describe('nothing is told', () => {
  test('to a key that may not know, whose call runs as any other', async () => {
    await using pair = await start()

    const reply = await pair.ask({ headers: asking.headers })

    expect(reply).toMatchObject({ status: 200, account: 'b' })
    expect(reply.headers.has('x-dragoman-route')).toBe(false)
  })

  test.each([{}, { 'x-dragoman-explain': '0' }, { 'x-dragoman-explain': 'False' }])(
    'to a client that does not ask: %j',
    async (headers) => {
      await using pair = await start()

      const reply = await pair.ask({ key: 'curious', headers })

      expect(reply.headers.has('x-dragoman-route')).toBe(false)
    },
  )

  test('to the accounts', async () => {
    await using pair = await start()
    pair.b.script = serving(chat)

    await pair.ask(asking)

    expect(Object.keys(pair.b.requests[0]?.headers ?? {})).not.toContainEqual(
      expect.stringContaining('dragoman'),
    )
  })
})
