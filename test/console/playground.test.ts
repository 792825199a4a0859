import { expect, test } from 'vitest'

import type { Json, Prompt } from '../../console/src/pages/playground/dialect.ts'
import { playgroundDialects } from '../../console/src/pages/playground/dialects.ts'
import { startSandbox } from '../../src/sandbox/index.ts'
import { startAdminGateway } from '../admin/admin-gateway.ts'

const prompt: Prompt = {
  model: 'sandbox/echo',
  text: 'Hello\nto all',
  system: '',
  maxTokens: 64,
  isStreamed: false,
  size: '',
  seconds: '',
  query: 'Hello',
  dimensions: '',
  voice: 'alloy',
  format: 'mp3',
}

async function startScene() {
  await using opening = new AsyncDisposableStack()
  const sandbox = opening.use(await startSandbox())
  const account = {
    id: 'one',
    provider: 'sandbox',
    baseUrl: sandbox.url,
    apiKey: 'sandbox-key-a',
    models: ['*'],
    speaks: playgroundDialects.map(({ id }) => id),
  }
  const gateway = opening.use(await startAdminGateway({ accounts: [account] }))
  const opened = opening.move()
  return { gateway, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

test('each dialect of the Playground sends what the gateway takes, and reads the reply', async () => {
  await using scene = await startScene()
  for (const dialect of playgroundDialects) {
    const { path, headers, body } = dialect.call(prompt, scene.gateway.key)
    const response = await fetch(`${scene.gateway.url}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.status, dialect.id).toBe(200)
    if (dialect.makes === 'audio') continue
    const text = dialect.textOf((await response.json()) as Json, prompt)
    if (!['images', 'video'].includes(dialect.makes)) expect(text, dialect.id).not.toBe('')
    if (dialect.makes === 'vectors')
      expect(text, dialect.id).toMatch(/^Hello\n-?0\.\d+, .+ numbers\n\nto all\n/)
    if (dialect.makes === 'ranks') expect(text).toMatch(/^\d\.\d+ {2}(?:Hello|to all)\n/)
    if (dialect.makes === 'verdicts') expect(text).toMatch(/^(?:Not f|F)lagged\n\d\.\d+ {2}/)
  }
})

test('each form of the Playground is of a dialect of the gateway, and what dialects make has one', async () => {
  await using scene = await startScene()
  const { data } = await scene.gateway.graph<{
    explainable: readonly { readonly dialect: string }[]
  }>('{ explainable { dialect } }')
  const dialects = new Set(data.explainable.map(({ dialect }) => dialect))
  const forms = playgroundDialects.map(({ id }) => id)
  expect(forms.filter((id) => !dialects.has(id))).toEqual([])
  expect(forms.toSorted()).toEqual(known)
})

/** What the gateway makes from JSON. */
const known = [
  'audio',
  'chat',
  'completions',
  'embed-content',
  'embeddings',
  'generate',
  'images',
  'messages',
  'moderations',
  'predict',
  'rerank',
  'responses',
  'videos',
]
