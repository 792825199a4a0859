import { expect, test } from 'vitest'

import { chat } from '../../plugins/dialects/chat/index.ts'
import { messages } from '../../plugins/dialects/messages/index.ts'
import { responses } from '../../plugins/dialects/responses/index.ts'
import { providers } from '../../plugins/providers/index.ts'
import { presets } from '../../plugins/providers/presets.ts'
import { compileSnapshot } from '../../src/accounts/compile.ts'
import { resolveSettings } from '../../src/configuration/resolve.ts'
import { dialectsOf } from '../../src/contract/plugin.ts'
import { changeBody } from '../../src/upstream/adapt.ts'
import { pathAt, rootOf } from '../../src/kit/account-path.ts'
import type { Preset } from '../../src/kit/preset-row.ts'
import { preset } from '../../src/kit/preset.ts'
import { presetNames } from './preset-rows.ts'

const names =
  'openrouter groq mistral deepseek xai together fireworks cerebras perplexity cohere moonshot zai qwen minimax ollama vllm sglang llamacpp lmstudio github cloudflare huggingface'

test('the presets have the names of the documentation, and the sandbox stands in for each', () => {
  expect(Object.keys(presets).join(' ')).toBe(names)
  expect(presetNames.toSorted()).toEqual(Object.keys(presets).toSorted())
})

const dialects = dialectsOf([chat(), responses(), messages(), providers()])

/** Where accounts with no more than a provider and a key are asked, by dialect. */
function addressesOf(provider: string, speaks?: string[]) {
  const account = { id: 'a', provider, apiKey: 'k', models: ['m'], ...(speaks && { speaks }) }
  const settings = resolveSettings({ accounts: [account] }, { env: {} })
  const { snapshot, problems } = compileSnapshot(settings.accounts, {}, dialects)
  expect(problems).toEqual([])
  const [compiled] = snapshot.accounts
  const paths: Record<string, string> = {
    chat: '/v1/chat/completions',
    responses: '/v1/responses',
    messages: '/v1/messages',
  }
  const found = (compiled?.speaks ?? []).map((id) => {
    const dialect = dialects.find((one) => one.id === id)!
    const root = rootOf(compiled!, dialect)
    return [id, root.origin + pathAt(root, dialect.upstream!, paths[id]!)]
  })
  return Object.fromEntries(found) as Record<string, string>
}

test('a provider and a key are enough', () => {
  expect(addressesOf('openrouter')).toEqual({
    chat: 'https://openrouter.ai/api/v1/chat/completions',
    responses: 'https://openrouter.ai/api/v1/responses',
    messages: 'https://openrouter.ai/api/v1/messages',
  })
  expect(addressesOf('deepseek')).toEqual({
    chat: 'https://api.deepseek.com/chat/completions',
    messages: 'https://api.deepseek.com/anthropic/v1/messages',
  })
  expect(addressesOf('perplexity', ['chat', 'responses'])).toEqual({
    chat: 'https://api.perplexity.ai/chat/completions',
    responses: 'https://api.perplexity.ai/v1/responses',
  })
  expect(addressesOf('qwen', ['responses'])).toEqual({
    responses:
      'https://dashscope-intl.aliyuncs.com/api/v2/apps/protocols/compatible-mode/v1/responses',
  })
  expect(addressesOf('zai').chat).toBe('https://api.z.ai/api/paas/v4/chat/completions')
  expect(addressesOf('ollama')).toEqual({ chat: 'http://localhost:11434/v1/chat/completions' })
  const hosted = Object.keys(presets).filter((name) => name !== 'cloudflare')
  for (const name of hosted) expect(addressesOf(name).chat, name).toMatch(/\/chat\/completions$/)
})

/** Models of which a preset knows more than of others. */
const models: Record<string, string[]> = {
  deepseek: ['deepseek-r1'],
  github: ['openai/o3'],
  moonshot: ['kimi-k2.6', 'kimi-k3'],
  xai: ['grok-4'],
}

const rows = Object.keys(presets).flatMap((name) =>
  ['any', ...(models[name] ?? [])].map((model) => ({ name, model })),
)

test.each(rows)('what $name drops of a request to $model is named', ({ name, model }) => {
  const { body } = presets[name as keyof typeof presets].dialects['chat']!.adapt!
  const request = { method: 'POST', path: '', query: undefined, model, stream: false, headers: {} }
  const changes = typeof body === 'function' ? body(request, { provider: name }) : body
  const { drop = {}, refuse = {}, nearest = {}, turns = {}, rename = {} } = changes!
  const dropped = Object.keys(drop)
  const ofTurns = Object.keys(turns.drop ?? {})
  const near = Object.entries(nearest).map(([member, values]) => [member, Object.keys(values)[0]])
  const asked = {
    ...Object.fromEntries(dropped.map((member) => [member, 1])),
    ...Object.fromEntries(near),
    messages: [{ role: 'user', ...Object.fromEntries(ofTurns.map((member) => [member, 1])) }],
  }
  const lost: string[] = []
  const bytes = Buffer.from(JSON.stringify(asked))
  const sent = JSON.parse(changeBody(bytes, changes!, (field) => lost.push(field)).toString())
  const expected = [
    ...dropped,
    ...Object.keys(nearest),
    ...ofTurns.map((member) => `messages[0].${member}`),
  ]
  expect(lost.toSorted()).toEqual(expected.toSorted())
  expect(Object.keys(sent).filter((member) => dropped.includes(member))).toEqual([])
  expect(sent.messages).toEqual([{ role: 'user' }])
  for (const member of Object.keys(refuse)) {
    const unserved = Buffer.from(JSON.stringify({ [member]: [1] }))
    expect(() => changeBody(unserved, changes!, () => {})).toThrow(`\`${member}\``)
  }
  // The same under another name, or another form of it, is no loss.
  const others = Object.keys(rename).filter((member) => !dropped.includes(member))
  const renamed = Buffer.from(JSON.stringify(Object.fromEntries(others.map((one) => [one, 1]))))
  changeBody(renamed, changes!, (field) => expect.fail(field))
})

test.each<[object, RegExp]>([
  [{ turn: { reasoning: 'none' } }, /^preset has no member "turn": did you mean "turns"\?$/],
  [
    { body: { dropp: { user: 'x' } } },
    /^preset\.body has no member "dropp": did you mean "drop"\?$/,
  ],
  [{ body: { drop: ['user'] } }, /^preset\.body\.drop must be an object of reasons by member/],
  [
    { turns: { reasoning: 'reasoning_text' } },
    /^preset\.turns\.reasoning must be one of reasoning, reasoning_content, /,
  ],
  [{ turns: { callIds: '^a$' } }, /^preset\.turns\.callIds must be a regular expression/],
  [{ models: [{ name: /x/ }] }, /^preset\.models\[0\]/],
  [{ models: [{ named: /x/, bodi: {} }] }, /^preset\.models\[0\] has no member "bodi": .*"body"/],
  [{ lacks: ['image'] }, /^preset\.lacks\[0\] must be one of/],
])('a row with %j is refused by the name of what it cannot have', (row, message) => {
  expect(() => preset(row as Preset)).toThrow(message)
})
