import { expect, test } from 'vitest'

import { type Answer, answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { startAccount, type Script } from '../../walks/failover/pool.ts'
import { edit, newer } from '../../walks/images/limits.ts'
import { type ImageStage, imageStage } from '../../walks/images/stage.ts'

const made: Answer = answerJson({ created: 1, data: [{ b64_json: 'AAAA' }] })

async function startHouse(first: Script) {
  await using starting = new AsyncDisposableStack()
  const one = starting.use(await startAccount(first))
  const other = starting.use(await startFakeAccount(made))
  const account = (id: string, url: string) => ({
    id,
    provider: 'openai-compatible',
    speaks: ['images'],
    baseUrl: `${url}/v1`,
    models: [id],
  })
  const stage = starting.use(
    await imageStage({
      accounts: [account('gpt-image-1', one.url), account('gpt-image-1.5', other.url)],
      aliases: {
        'gpt-image-1': {
          model: 'gpt-image-1',
          fallbacks: [{ on: ['unavailable', 'rate_limited', 'refused'], model: 'gpt-image-1.5' }],
        },
      },
    }),
  )
  const started = starting.move()
  return { one, other, stage, [Symbol.asyncDispose]: () => started.disposeAsync() }
}

const calls: Record<string, (stage: ImageStage) => Promise<Response>> = {
  'an edit': (stage) => stage.form(edit(newer)),
  'a streamed edit': (stage) => stage.form(edit(newer, ['stream', 'true'])),
  'a generation': (stage) =>
    stage.json({ prompt: 'x', model: 'gpt-image-1' }, '/v1/images/generations'),
}

const refusals: Record<string, Script> = {
  'cannot be reached': 'closed',
  'has its limit (429)': answerJson({ error: {} }, { status: 429 }),
  'has a defect (500)': answerJson({ error: {} }, { status: 500 }),
  'refuses the prompt (400)': answerJson({ error: {} }, { status: 400 }),
}

const named = Object.keys(calls).flatMap((call) =>
  Object.keys(refusals).map((what) => [call, what] as const),
)

test.each(named)('a fallback stands in for %s whose account %s', async (call, what) => {
  await using house = await startHouse(refusals[what]!)
  const response = await calls[call]!(house.stage)
  await response.text()
  expect(house.other.requests).toHaveLength(1)
  expect(house.other.requests[0]!.body.toString()).toContain('gpt-image-1.5')
  expect(response.headers.get('x-dragoman-account')).toBe('gpt-image-1.5')
})

test.each(Object.keys(calls))('%s that may be drawn already has no fallback', async (call) => {
  await using house = await startHouse((response) => void response.destroy())
  expect((await calls[call]!(house.stage)).status).toBe(502)
  expect([house.one.requests.length, house.other.requests.length]).toEqual([1, 0])
})
