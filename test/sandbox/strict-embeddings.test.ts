import { expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'

const openAi = '/v1/embeddings'
const batch = '/v1beta/models/m:batchEmbedContents'
const enterprise = '/v1beta1/publishers/google/models/gemini-embedding-001:predict'
const content = { parts: [{ text: 'a' }] }
const input = 'a'

test.each<[string, object, string]>([
  [openAi, { input }, 'model'],
  [openAi, { model: 'm' }, 'input'],
  [openAi, { model: 'm', input: '' }, 'input'],
  [openAi, { model: 'm', input, extra: 1 }, 'extra'],
  [openAi, { model: 'm', input, encoding_format: 'hex' }, 'encoding_format'],
  [openAi, { model: 'text-embedding-ada-002', input, dimensions: 4 }, 'dimensions'],
  [openAi, { model: 'm', input: Array.from({ length: 2049 }, () => 'a') }, 'input'],
  [openAi, { model: 'm', input: Array.from({ length: 8193 }, () => 1) }, 'input'],
  [
    openAi,
    { model: 'm', input: Array.from({ length: 37 }, () => Array.from({ length: 8192 }, () => 1)) },
    'input',
  ],
  ['/v1beta/models/m:embedContent', { content, embedContentConfig: {} }, 'embedContentConfig'],
  ['/v1beta/models/m:embedContent', { content, taskType: 'X' }, 'taskType'],
  [batch, { requests: [{ content }] }, 'requests[0].model'],
  [batch, { requests: [{ content, model: 'models/other' }] }, 'requests[0].model'],
  [batch, { requests: Array.from({ length: 101 }, () => ({ content, model: 'models/m' })) }, '100'],
  [enterprise, { instances: [{ content: 'a' }, { content: 'b' }] }, 'Only one instance'],
  [enterprise, { instances: [{ prompt: 'a' }] }, 'content'],
])('%s refuses %j: %s', async (path, body, named) => {
  await using sandbox = await startSandbox()
  const response = await fetch(sandbox.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(path === openAi
        ? { authorization: 'Bearer sandbox-key-a' }
        : { 'x-goog-api-key': 'sandbox-key-a' }),
    },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(400)
  expect(await response.text()).toContain(named)
})
