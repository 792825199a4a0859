import { describe, expect, test } from 'vitest'

import { refusing, serving } from '../walks/failover/pool.ts'
import { form } from '../walks/streams/forms.ts'
import { nearlyAlways, type Pair, type PairOptions, startPair } from './pair.ts'

const { chat, responses } = form
const notes = { fields: { prompt_cache_key: 'notes' } }

/** A pair that would serve everything with `b`, but for the notes, which `a` has served. */
async function startWithNotesOnA(options: PairOptions = {}): Promise<Pair> {
  const pair = await startPair(chat, { b: { weight: nearlyAlways }, ...options })
  pair.b.script = refusing(500)
  expect(await pair.ask(notes)).toMatchObject({ account: 'a' })
  pair.b.script = serving(chat)
  return pair
}

describe('an affinity only prefers', () => {
  test('an account that fails is followed by another, which keeps the work', async () => {
    await using pair = await startWithNotesOnA()
    pair.a.script = refusing(500)

    expect(await pair.ask(notes)).toMatchObject({ status: 200, account: 'b' })
    pair.a.script = serving(chat)

    expect(await pair.ask(notes)).toMatchObject({ account: 'b' })
    expect((await pair.gateway.logged(3))[2]).toMatchObject({
      route_rule: 'affinity: prompt_cache_key',
    })
  })

  test('an account that is left alone is not asked', async () => {
    await using pair = await startWithNotesOnA()
    pair.a.script = refusing(429, { 'retry-after': '60' })
    expect(await pair.ask({ ...notes, model: 'other' })).toMatchObject({ account: 'b' })
    expect(await pair.ask(notes)).toMatchObject({ status: 200, account: 'b' })
    const asked = pair.a.requests.length

    expect(await pair.ask(notes)).toMatchObject({ status: 200, account: 'b' })

    expect(pair.a.requests).toHaveLength(asked)
  })

  test('an account that is gone is forgotten', async () => {
    await using pair = await startWithNotesOnA()

    pair.gateway.reload({ accounts: pair.settings.filter(({ id }) => id === 'b') })

    expect(await pair.ask(notes)).toMatchObject({ status: 200, account: 'b' })
  })

  test('an account that was only a stand-in gives the work back within the hour', async () => {
    let time = Date.now()
    await using pair = await startWithNotesOnA({ a: { priority: 1 }, now: () => time })

    time += 30 * 60_000
    expect(await pair.ask(notes)).toMatchObject({ account: 'a' })
    time += 31 * 60_000
    expect(await pair.ask(notes)).toMatchObject({ account: 'b' })
  })
})

describe('an affinity belongs', () => {
  test('to one key: another key with the same words is routed as if there were none', async () => {
    const keys = [
      { id: 'one', secret: 'secret-one' },
      { id: 'two', secret: 'secret-two' },
    ]
    await using pair = await startPair(chat, { keys, b: { weight: nearlyAlways } })
    pair.b.script = refusing(500)
    expect(await pair.ask({ ...notes, key: 'secret-one' })).toMatchObject({ account: 'a' })
    pair.b.script = serving(chat)

    expect(await pair.ask({ ...notes, key: 'secret-two' })).toMatchObject({ account: 'b' })
    expect(await pair.ask({ ...notes, key: 'secret-one' })).toMatchObject({ account: 'a' })
  })

  test('to one model, whose cache it is, by whatever alias it is asked for', async () => {
    await using pair = await startWithNotesOnA({ aliases: { fast: 'm' } })

    expect(await pair.ask({ ...notes, model: 'other' })).toMatchObject({ account: 'b' })
    expect(await pair.ask({ ...notes, model: 'fast' })).toMatchObject({ account: 'a' })
  })

  test('to a week after its last use', async () => {
    let time = Date.now()
    const day = 24 * 60 * 60_000
    await using pair = await startWithNotesOnA({ now: () => time })

    time += 6 * day
    expect(await pair.ask(notes)).toMatchObject({ account: 'a' })
    time += 6 * day
    expect(await pair.ask(notes)).toMatchObject({ account: 'a' })
    time += 7 * day
    expect(await pair.ask(notes)).toMatchObject({ account: 'b' })
  })
})

test('a chained call stays with its account, whatever else it is like', async () => {
  await using pair = await startPair(responses, { b: { weight: nearlyAlways } })
  const session = { headers: { 'session-id': 'session-1' } }
  expect(await pair.ask(session)).toMatchObject({ account: 'b' })
  pair.b.script = refusing(500)
  const { json } = await pair.ask()
  pair.b.script = serving(responses)

  const next = await pair.ask({ ...session, fields: { previous_response_id: json['id'] } })

  expect(next).toMatchObject({ status: 200, account: 'a' })
  expect((await pair.gateway.logged(3))[2]).toMatchObject({ route_rule: 'bindings' })
})
