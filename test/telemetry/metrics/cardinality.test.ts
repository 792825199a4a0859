import { expect, test } from 'vitest'

import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { createModelLabels } from '../../../src/accounts/model-labels.ts'
import { compileModels } from '../../../src/accounts/patterns.ts'
import type { Account } from '../../../src/contract/account.ts'
import { key, metricsStage, sendRaw } from './stage.ts'

const reply = (model: string) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model,
  choices: [{ index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
})

/** Names that clients send, so that a series for each would fill the memory of Prometheus. */
const many = 120

test('no client makes a series: not by models, paths, methods, headers or keys', async () => {
  // Repeats the model that it is asked for, and answers some with statuses of its own.
  await using upstream = await startFakeAccount((response, request) => {
    const { model } = JSON.parse(request.body.toString()) as { model: string }
    const status = model.endsWith('7') ? 430 + (Number(/\d+$/.exec(model)?.[0]) % 160) : 200
    return answerJson(reply(model), { status })(response, request)
  })
  await using stage = await metricsStage({
    accounts: [
      {
        id: 'a',
        provider: 'openai',
        apiKey: 'x',
        baseUrl: `${upstream.url}/v1`,
        speaks: ['chat'],
        models: ['gpt-*', 'known'],
      },
    ],
  })
  const messages = [{ role: 'user', content: 'hi' }]
  const chat = (model: string) => stage.call('/v1/chat/completions', { model, messages })
  /** One of each kind, so that its series exist. */
  async function attack(from: number, to: number): Promise<void> {
    for (let number = from; number < to; number++) {
      const name = `x${number}`
      await Promise.all([
        chat(`gpt-${name}`),
        chat(`made-up-${name}`),
        chat('known'),
        stage.call(`/v1/${name}`),
        stage.call(`/v1/responses/resp_${name}`),
        stage.call(`/v1/models/${name}`, undefined, { 'x-request-id': name, 'user-agent': name }),
        stage.call('/v1/models', undefined, { authorization: `Bearer ${name}` }),
        sendRaw(stage.url, 'PROPFIND', `/${name}`, { authorization: `Bearer ${key}` }),
        sendRaw(stage.url, 'M-SEARCH', `/${name}`),
      ])
    }
  }
  await attack(0, 40)
  const before = seriesIn((await stage.scrape()).text)
  await attack(40, many)
  const after = (await stage.scrape()).text
  // A few more statuses of the account have come; no name has.
  expect(seriesIn(after) - before).toBeLessThan(before / 4)
  expect(after).not.toMatch(/x\d+[^_a-z]/)
  expect(after).toContain('gen_ai_request_model="gpt-*"')
  expect(after).toContain('gen_ai_request_model="known"')
  expect(after).toContain('http_request_method="_OTHER"')
})

function seriesIn(text: string): number {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length
}

test('ten thousand models have the labels of the configuration', () => {
  const models = compileModels({ 'gpt-*': '*', fast: 'gpt-4.1-mini' })
  const labels = createModelLabels({ accounts: [{ models } as Account] }, ['gpt-named'])
  const seen = new Set<string>()
  for (let number = 0; number < 10_000; number++) {
    seen.add(labels.requested(`gpt-${number}`)).add(labels.requested(`x-${number}`))
    seen.add(labels.reported(`gpt-${number}`)).add(labels.reported(`gpt-4.1-mini-${number}`))
  }
  expect([...seen].toSorted()).toEqual(['_other', 'gpt-*', 'gpt-4.1-mini'])
  expect(labels.requested('fast')).toBe('fast')
  expect(labels.requested('gpt-named')).toBe('gpt-named')
  expect(labels.reported('gpt-4.1-mini-2026-01-02')).toBe('gpt-4.1-mini')
})

test('a name has the longest pattern that takes it, whichever account has it', () => {
  const accounts = ['*', 'gpt-*', 'gpt-9*'].map(
    (one) => ({ models: compileModels([one]) }) as Account,
  )
  const labels = createModelLabels({ accounts }, [])
  expect(['gpt-9-mini', 'gpt-5', 'claude'].map((name) => labels.requested(name))).toEqual([
    'gpt-9*',
    'gpt-*',
    '*',
  ])
})
