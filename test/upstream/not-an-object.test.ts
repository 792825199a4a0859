import { expect, test } from 'vitest'

import type { Answer } from '../../src/testing/fake-account.ts'
import { answerJson } from '../../src/testing/fake-account.ts'
import { dialectNames, dialects } from '../requests/dialects.ts'
import { startService } from '../requests/service.ts'

const replies: Readonly<Record<string, string>> = {
  null: 'null',
  'a number': '5',
  'a text': '"hello"',
  'a list': '[{}]',
  nothing: '',
  'a page': '<h1>Hello</h1>',
  'half an object': '{"id":',
  'deep nesting': `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
  'a large list': `[${'{},'.repeat(50_000)}{}]`,
  'too many values': `{"a":[${'{},'.repeat(260_000)}{}]}`,
  'a large text that does not end': `{"a":"${'x'.repeat(100_000)}`,
}

test.each(Object.entries(replies))('a 2xx with %s is its account’s failure', async (_, reply) => {
  await using good = await startService()
  const answer: Answer = answerJson(reply)
  await using bad = await startService({}, answer)
  for (const dialect of dialectNames) {
    const provider = {
      chat: 'openai',
      responses: 'openai',
      messages: 'anthropic',
      generate: 'gemini',
    }
    const shared = { provider: provider[dialect], apiKey: 'k', models: ['m'], speaks: [dialect] }
    const base = (url: string) => (shared.provider === 'openai' ? `${url}/v1` : url)
    const failing = {
      id: `bad-${dialect}`,
      baseUrl: base(bad.upstream.url),
      priority: 1,
      ...shared,
    }
    const serving = {
      id: `good-${dialect}`,
      baseUrl: base(good.upstream.url),
      priority: 2,
      ...shared,
    }
    bad.gateway.reload({ accounts: [failing] })
    const alone = await bad.ask(dialect)
    expect(alone.status).toBe(502)
    expect(await alone.json()).toMatchObject({ error: {} })
    bad.gateway.reload({ accounts: [{ ...failing, id: `again-${dialect}` }, serving] })
    const second = await bad.ask(dialect)
    expect(await second.json()).toEqual(dialects[dialect].reply)
  }
  expect(bad.gateway.gateway.held()).toBe(0)
})
