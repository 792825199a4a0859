import { expect, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
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
  'a large list': `[${'{},'.repeat(50_000)}{}]`,
  'a large text that does not end': `{"a":"${'x'.repeat(100_000)}`,
}

test.each(dailyRows(Object.entries(replies)))(
  'a 2xx with %s is its account’s failure',
  async (_, reply) => {
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
  },
)

const beyond: Readonly<Record<string, string>> = {
  'deep nesting': `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
  'deep nesting and a long text': `{"b":"${'x'.repeat(100_000)}","a":${'['.repeat(300)}${']'.repeat(300)}}`,
  'too many values': `{"a":[${'{},'.repeat(260_000)}{}]}`,
  'an endless number': `{"a":${'1'.repeat(100_000)}}`,
}

// A caller can make any account reply so, which must not take the account from the others.
test.each(dailyRows(Object.entries(beyond)))(
  'a 2xx with %s is a 502 of this call alone',
  async (_, reply) => {
    await using service = await startService({}, answerJson(reply))
    for (const dialect of dialectNames) {
      for (let time = 0; time < 6; time++) {
        const response = await service.ask(dialect)
        expect(response.status).toBe(502)
        expect(await response.text()).toMatch(
          /nested too deeply|too many JSON values|too long a number/,
        )
      }
    }
  },
)
