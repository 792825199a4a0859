import { expect, onTestFinished, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import { openStore } from '../../src/stores/open.ts'
import { until } from '../../src/testing/until.ts'
import { startSandbox } from '../../src/sandbox/index.ts'
import { servers } from '../../src/sandbox/presets/quirks.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { dialectNames } from '../requests/dialects.ts'
import { accountOf, presetNames } from './preset-rows.ts'
import { startScene } from './presets-stage.ts'

test.each(dialectNames)('clients of %s reach the accounts of each preset', async (client) => {
  await using scene = await startScene(presetNames)
  for (const name of presetNames)
    for (const fields of [{}, { stream: true }]) {
      const { status, text } = await scene.ask(client, `${name}/m`, fields)
      expect([name, status, status === 200 ? '' : text]).toEqual([name, 200, ''])
      expect(text, name).not.toMatch(/"error":\s*[{"]/)
      expect(text, name).toContain('hi')
    }
  const lines = await scene.gateway.logged(2 * presetNames.length)
  for (const { account, input_tokens: input, output_tokens: output } of lines)
    expect([account, Number(input) > 0, Number(output) > 0]).toEqual([account, true, true])
  expect(scene.gateway.attemptWarnings).toEqual([])
})

/** Settings of a chat client that wants all that OpenAI has. */
const everything = {
  messages: [
    { role: 'developer', content: 'Be brief.' },
    { role: 'user', name: 'ann', content: 'hi' },
  ],
  max_completion_tokens: 50,
  temperature: 0.5,
  top_p: 0.5,
  seed: 1,
  presence_penalty: 0.5,
  frequency_penalty: 0.5,
  stop: ['END'],
  user: 'u',
  store: true,
  metadata: { a: 'b' },
}

test.each(dailyRows(presetNames))('%s drops what it refuses, and names it', async (name) => {
  await using scene = await startScene([name])
  const { status, text, losses, sent } = await scene.ask('chat', `${name}/m`, everything)
  expect([status, status === 200 ? '' : text]).toEqual([200, ''])
  const body = JSON.parse(sent?.body.toString() ?? '{}') as Record<string, unknown>
  const renamed = new Set(['max_completion_tokens', 'seed'])
  const { refuses = [] } = servers[name]!
  const asked = refuses.filter((field) => field in everything && !renamed.has(field))
  for (const field of asked) {
    expect(body, field).not.toHaveProperty(field)
    expect(losses, field).toContain(field)
  }
  expect(JSON.stringify(body['messages'])).not.toContain('developer')
})

test('a policy without losses refuses what a preset would drop', async () => {
  await using scene = await startScene(['mistral'], { losses: 'reject' })
  const { status, text, sent } = await scene.ask('chat', 'mistral/m', { metadata: { a: 'b' } })
  expect([status, sent]).toEqual([400, undefined])
  expect(text).toContain('metadata')
})

test.each([
  ['groq', { logprobs: true }, { logprobs: false, top_logprobs: 0, logit_bias: {} }],
  ['groq', { n: 2 }, { n: 1 }],
  ['mistral', { top_logprobs: 3 }, { logprobs: null, store: false, modalities: ['text'] }],
  ['mistral', { modalities: ['text', 'audio'] }, { audio: null }],
  ['minimax', { n: 2 }, { n: 1 }],
])('%s is not asked for %j, and loses nothing of %j', async (name, lacking, nothing) => {
  await using scene = await startScene([name])
  const refused = await scene.ask('chat', `${name}/m`, lacking)
  expect([refused.status, refused.sent]).toEqual([400, undefined])
  expect(refused.text).toContain(Object.keys(lacking)[0])
  const { status, text, losses } = await scene.ask('chat', `${name}/m`, nothing)
  expect([status, status === 200 ? '' : text, losses]).toEqual([200, '', null])
})

test('an account that has what another one lacks serves the call', async () => {
  await using sandbox = await startSandbox()
  const lacking = { ...accountOf('groq', sandbox.url), priority: 0 }
  const other = { ...accountOf('together', sandbox.url), priority: 1 }
  await using gateway = await createTestGateway({ accounts: [lacking, other] })
  const ask = async (fields: object) => {
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${gateway.key}` },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...fields }),
    })
    return [reply.status, sandbox.requests.at(-1)?.url]
  }
  expect(await ask({})).toEqual([200, '/groq/openai/v1/chat/completions'])
  expect(await ask({ logprobs: true })).toEqual([200, '/together/v1/chat/completions'])
})

test('the nearest number is sent, and named', async () => {
  await using scene = await startScene(['xai'])
  const fields = { logprobs: true, top_logprobs: 20 }
  const { status, losses, sent } = await scene.ask('chat', 'xai/m', fields)
  expect([status, losses]).toEqual([200, expect.stringContaining('top_logprobs')])
  expect(JSON.parse(sent?.body.toString() ?? '')).toMatchObject({ top_logprobs: 8 })
})

test.each(['mistral', 'moonshot'])('%s continues an answer at the end', async (name) => {
  await using scene = await startScene([name])
  const messages = [
    { role: 'user', content: 'count' },
    { role: 'assistant', content: 'one,' },
  ]
  const { status, text, sent } = await scene.ask('chat', `${name}/m`, { messages })
  expect([status, status === 200 ? '' : text]).toEqual([200, ''])
  expect(sent?.body.toString()).toMatch(/"(?:prefix|partial)":true/)
})

test('a provider without tools gets no call that needs them', async () => {
  await using scene = await startScene(['perplexity'])
  const tool = { type: 'function', function: { name: 'f', parameters: { type: 'object' } } }
  const { status, text, sent } = await scene.ask('chat', 'perplexity/m', { tools: [tool] })
  expect([status, sent]).toEqual([400, undefined])
  expect(text).toContain('tools')
  expect((await scene.ask('chat', 'perplexity/m', { tools: [] })).status).toBe(200)
})

test.each(dailyRows(presetNames, 1))(
  'a chat client brings the reasoning of another server to %s',
  async (name) => {
    await using scene = await startScene([name])
    for (const field of ['reasoning', 'reasoning_content']) {
      const messages = [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'hello', [field]: 'a "thought"' },
        { role: 'user', content: 'go on' },
      ]
      const { status, text, sent } = await scene.ask('chat', `${name}/m`, { messages })
      expect([field, status, status === 200 ? '' : text]).toEqual([field, 200, ''])
      const isKept = sent?.body.toString().includes('a \\"thought\\"')
      const takes = !['cloudflare', 'cohere', 'github', 'perplexity'].includes(name)
      expect([field, isKept]).toEqual([field, takes])
    }
  },
)

/** What ends a stream that is complete. */
const ends = {
  chat: /\[DONE\]/,
  responses: /response\.completed/,
  messages: /message_stop/,
  generate: /finishReason/,
}

test.each(dialectNames)('clients of %s read the errors of each preset', async (client) => {
  await using scene = await startScene(presetNames)
  for (const name of presetNames) {
    const refused = await scene.ask(client, `${name}/x/status=429+message=slow`)
    expect([name, refused.status, refused.text]).toEqual([
      name,
      429,
      expect.stringContaining('slow'),
    ])
    const failed = await scene.ask(client, `${name}/x/error=0+message=broken`)
    expect([name, failed.status >= 500]).toEqual([name, true])
    const stream = await scene.ask(client, `${name}/x/error=2+message=broken`, { stream: true })
    expect([name, stream.text]).toEqual([name, expect.stringMatching(/"error"|response\.failed/)])
    expect(stream.text, name).not.toMatch(ends[client])
  }
  const lines = await scene.gateway.logged(3 * presetNames.length)
  for (const { account, error_type: error } of lines)
    expect([account, typeof error]).toEqual([account, 'string'])
})

test.each(dialectNames)('a call of a %s client costs what its account says', async (client) => {
  const store = await openStore('memory:', { cwd: '/' })
  onTestFinished(() => store.close())
  const prices = { 'sandbox/text=dear': { rates: { input: '1', output: '1' } } }
  await using scene = await startScene(['openrouter', 'perplexity', 'together'], { store, prices })
  for (const fields of [{}, { stream: true }])
    for (const model of [
      'openrouter/x/text=dear',
      'openrouter/x/echo',
      'perplexity/x/echo',
      'together/x/echo',
    ])
      await scene.ask(client, model, fields)
  const rows = () => store.ledger().rows({ limit: 10 })
  await until(async () => (await rows()).length === 8)
  const costs = (await rows()).map(({ accountId, upstreamModel, priceVersion, costNano }) => {
    const [source] = priceVersion?.split(' ') ?? ['none']
    return [accountId, upstreamModel, source, source === 'file' || costNano].join(' ')
  })
  const expected = [
    // Its Messages API has none.
    `openrouter sandbox/echo ${client === 'messages' ? 'none ' : 'provider 1250000'}`,
    'openrouter sandbox/text=dear file true',
    'perplexity sandbox/echo provider 8000000',
    'together sandbox/echo none ',
  ]
  expect(costs.toSorted()).toEqual(expected.flatMap((cost) => [cost, cost]))
})

test('a member that a server refuses is named from its list of errors', async () => {
  await using scene = await startScene(['mistral'])
  const messages = [{ role: 'user', content: 'hi', reasoning: 'not of an answer' }]
  const { status, text } = await scene.ask('chat', 'mistral/m', { messages })
  expect(status).toBe(422)
  expect(text).toContain('body.messages[0].reasoning: Extra inputs are not permitted')
})

test('statuses of a provider have its own meaning', async () => {
  await using scene = await startScene(['groq', 'cohere'])
  expect((await scene.ask('chat', 'groq/x/status=498')).status).toBe(503)
  const { status, text } = await scene.ask('chat', 'cohere/x/status=498')
  expect([status, text]).toEqual([502, expect.stringContaining('refused the account')])
})

test('the doors of presets refuse what the providers refuse', async () => {
  await using sandbox = await startSandbox()
  for (const [name, { chat, refuses = [] }] of Object.entries(servers))
    for (const field of refuses) {
      const reply = await fetch(`${sandbox.url}/${name}${chat}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer sandbox-key-a' },
        body: JSON.stringify({ model: 'm', messages: [], [field]: 1 }),
      })
      expect([name, field, reply.status]).toEqual([name, field, name === 'mistral' ? 422 : 400])
    }
})
