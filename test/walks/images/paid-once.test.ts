import { expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { type Answer, answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { type Script, startAccount } from '../failover/pool.ts'
import { edit, newer } from './limits.ts'
import { imageStage, type ImageStage } from './stage.ts'

const made: Answer = answerJson({ created: 1, data: [{ b64_json: 'AAAA' }] })

/** Two accounts, the first of which behaves like this; `closed` has nobody listen at its address. */
async function startHouse(first: Script, timeouts = {}) {
  await using starting = new AsyncDisposableStack()
  const [one, other] = [
    starting.use(await startAccount(first)),
    starting.use(await startFakeAccount(made)),
  ]
  const accounts = [one, other].map(({ url }, priority) => ({
    id: `account-${priority}`,
    provider: 'openai-compatible',
    speaks: ['images'],
    baseUrl: `${url}/v1`,
    priority,
  }))
  const stage = starting.use(await imageStage({ accounts, timeouts }))
  const started = starting.move()
  return { one, other, stage, [Symbol.asyncDispose]: () => started.disposeAsync() }
}

const calls: Record<string, (stage: ImageStage) => Promise<Response>> = {
  'an edit': (stage) => stage.form(edit(newer)),
  'a streamed edit': (stage) => stage.form(edit(newer, ['stream', 'true'])),
  'a generation': (stage) =>
    stage.json({ prompt: 'x', model: 'gpt-image-1' }, '/v1/images/generations'),
}

/** After these nobody knows whether an image is drawn, and billed. */
const doubtful: Record<string, Answer> = {
  'a connection that is reset': (response) => void response.destroy(),
  'a reply that breaks off': (response) => {
    response.writeHead(200, { 'content-length': '1000', 'content-type': 'application/json' })
    response.write('{"created"', () => response.destroy())
  },
  'a reply that cannot be read': answerJson('{"created": 1, '),
  'a reply without an image': answerJson({ created: 1, data: [] }),
  'a refusal that breaks off': (response) => {
    response.writeHead(500, { 'content-length': '1000' })
    response.write('{', () => response.destroy())
  },
  'a proxy that has waited in vain (504)': answerJson({ error: {} }, { status: 504 }),
  'a proxy that has waited in vain (524)': answerJson({ error: {} }, { status: 524 }),
  'a wait that was too long (408)': answerJson({ error: {} }, { status: 408 }),
}

const doubts = Object.keys(doubtful).flatMap((what) =>
  Object.keys(calls).map((call) => [call, what] as const),
)

test.each(dailyRows(doubts))('%s is made once after %s', async (call, what) => {
  await using house = await startHouse(doubtful[what] ?? made)
  const response = await calls[call]!(house.stage)
  expect(response.status).toBeGreaterThanOrEqual(408)
  expect(response.headers.get('x-should-retry')).toBe('false')
  expect([house.one.requests.length, house.other.requests.length]).toEqual([1, 0])
})

test('nor is one asked for again whose account does not answer in time', async () => {
  await using house = await startHouse(() => {}, { firstByteMs: 100 })
  const response = await calls['a generation']!(house.stage)
  expect(response.status).toBe(504)
  expect(house.other.requests).toEqual([])
})

/** These have not drawn anything. */
const refusals: Record<string, Script> = {
  'cannot be reached': 'closed',
  'refuses its credential (401)': answerJson({ error: {} }, { status: 401 }),
  'has its limit (429)': answerJson({ error: {} }, { status: 429 }),
  'has a defect (500)': answerJson({ error: {} }, { status: 500 }),
  'has lost its servers (502)': answerJson({ error: {} }, { status: 502 }),
  'is busy (503)': answerJson({ error: {} }, { status: 503 }),
  'tells of an error with 200': answerJson({ error: { type: 'server_error', message: 'x' } }),
}

test.each(Object.entries(refusals))('where an account %s another one is asked', async (_, how) => {
  await using house = await startHouse(how)
  for (const call of ['an edit', 'a generation']) {
    const response = await calls[call]!(house.stage)
    expect([response.status, response.headers.get('x-dragoman-account')]).toEqual([
      200,
      'account-1',
    ])
  }
})
