import { expect, test } from 'vitest'

import type { AccountConfig } from '../../src/configuration/config.generated.ts'
import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'

const prompt = 'a cat'
/** What is asked of a model besides text, and by what name an account says that it can do it. */
const deeds: [path: string, body: object, deed: string, family: string][] = [
  ['/v1/videos', { prompt }, 'make videos', 'videos'],
  [
    '/v1beta/models/llama:predictLongRunning',
    { instances: [{ prompt }] },
    'make videos',
    'video-operations',
  ],
  ['/v1/embeddings', { input: 'a' }, 'embed texts', 'embeddings'],
  ['/v1/moderations', { input: 'a' }, 'moderate texts', 'moderations'],
  ['/v1/rerank', { query: 'a', documents: ['b'] }, 'rank documents', 'rerank'],
  ['/v1/images/generations', { prompt }, 'generate images', 'images'],
  ['/v1/images/edits', { prompt, images: ['https://a.example/b.png'] }, 'edit images', 'images'],
]

async function ask(path: string, body: object, account: Partial<AccountConfig> = {}) {
  const data = [{ b64_json: 'AAAA', embedding: [1], index: 0 }]
  const results = [{ index: 0, relevance_score: 1, flagged: false }]
  await using upstream = await startFakeAccount(
    answerJson({ id: 'v', object: 'video', status: 'queued', created_at: 1, data, results }),
  )
  const local = { id: 'local', provider: 'openai-compatible', baseUrl: `${upstream.url}/v1` }
  await using gateway = await createTestGateway({
    accounts: [{ ...local, models: ['*'], ...account }],
  })
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'llama', ...body }),
  })
  return { status: response.status, text: await response.text(), asked: upstream.requests.length }
}

test.each(deeds)(
  'an account of a server for chats is not asked at %s, and the client reads what would help',
  async (path, body, deed, family) => {
    const { status, text, asked } = await ask(path, body)
    expect([status, asked]).toEqual([400, 0])
    expect(text).toContain(
      `The model \`llama\` is served, but only by accounts that cannot ${deed}. If one of them can, ` +
        `the gateway's operator has to add \`${family}\` to its \`speaks\`.`,
    )
  },
)

test.each(deeds.filter(([, , , family]) => family !== 'video-operations'))(
  'one that says so is asked at %s',
  async (path, body, _, family) => {
    const { status, asked } = await ask(path, body, { speaks: ['chat', family] })
    expect([status, asked]).toEqual([200, 1])
  },
)
