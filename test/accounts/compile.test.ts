import { expect, test } from 'vitest'

import pipeline from '../../config/gateway.config.ts'
import { compileSnapshot } from '../../src/accounts/compile.ts'
import { resolveSettings } from '../../src/configuration/resolve.ts'
import type { AccountSetting } from '../../src/contract/account.ts'
import type { AnyDialect } from '../../src/contract/dialect.ts'
import { createLineWriter, createLog } from '../../src/lib/log.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { collectLines } from '../../src/testing/lines.ts'

const dialects: AnyDialect[] = pipeline({
  store: openMemoryStore(),
  keys: { find: () => undefined },
  log: createLog(collectLines().sink),
  lines: createLineWriter(collectLines().sink),
  health: { draining: false, inflight: () => 0, accounts: () => 0 },
}).flatMap((plugin) => plugin.dialects ?? [])

const plain: AccountSetting = {
  id: 'a',
  provider: 'openai',
  models: ['m'],
  weight: 1,
  priority: 0,
  enabled: true,
  asksForUsage: true,
  replyModel: 'account',
}

function compile(...settings: Partial<AccountSetting>[]) {
  return compileSnapshot(
    settings.map((setting) => ({ ...plain, ...setting })),
    {},
    dialects,
  )
}

test('presets fill in what a provider is known for', () => {
  const { snapshot, problems } = compile(
    { id: 'o', provider: 'openai' },
    { id: 'a', provider: 'anthropic' },
    { id: 'g', provider: 'gemini' },
    { id: 'c', provider: 'openai-compatible', baseUrl: 'http://localhost:1234/v1' },
    { id: 's', provider: 'sandbox', baseUrl: 'http://localhost:1235' },
  )
  expect(problems).toEqual([])
  expect(
    snapshot.accounts.map(({ id, origin, speaks }) => [id, origin, [...speaks].sort()]),
  ).toEqual([
    [
      'o',
      'https://api.openai.com',
      [
        'audio',
        'chat',
        'completions',
        'embeddings',
        'files',
        'images',
        'moderations',
        'realtime',
        'responses',
        'videos',
      ],
    ],
    ['a', 'https://api.anthropic.com', ['message-batches', 'message-files', 'messages']],
    [
      'g',
      'https://generativelanguage.googleapis.com',
      ['cached-contents', 'embed-content', 'generate', 'video-operations'],
    ],
    ['c', 'http://localhost:1234', ['chat']],
    [
      's',
      'http://localhost:1235',
      dialects
        .filter(({ upstream }) => upstream?.providers.sandbox?.onlyIfNamed === undefined)
        .flatMap(({ id, upstream }) => (upstream?.providers.sandbox ? id : []))
        .sort(),
    ],
  ])
})

test('every problem is told at once, each with its place and a fix', () => {
  const { problems } = compile(
    {},
    { provider: 'opnai' },
    { speaks: ['chat', 'chatt', 'telepathy'] },
    { provider: 'openai-compatible' },
    { baseUrl: 'not a url', speaks: ['nope'] },
  )
  expect(problems.map(({ path }) => path)).toEqual([
    'accounts[1].provider',
    'accounts[2].speaks',
    'accounts[2].speaks',
    'accounts[3].baseUrl',
    'accounts[4].speaks',
    'accounts[4].baseUrl',
  ])
  for (const { message, fix } of problems) {
    expect(message).toMatch(/./)
    expect(fix).toMatch(/./)
  }
  expect(problems[0]?.message).toContain('opnai')
  expect(problems[0]?.fix).toMatch(/anthropic.*gemini.*openai/)
  expect(problems[1]?.fix).toMatch(/chat.*messages.*generate/)
  expect(problems[3]?.message).toContain('openai-compatible')
})

const noBaseUrls = [
  'ftp://example.com',
  'https://user:secret@example.com',
  'https://example.com?x=1',
  'https://example.com/#x',
  'example.com',
  '',
]

test.each(noBaseUrls)('"%s" is no base URL', (baseUrl) => {
  const { problems, snapshot } = compile({ baseUrl })
  expect(problems).toMatchObject([{ path: 'accounts[0].baseUrl' }])
  expect(snapshot.accounts).toEqual([])
})

test('an account with a problem is left out, the others stay', () => {
  const { snapshot } = compile({ id: 'good' }, { id: 'bad', provider: 'nobody' })
  expect(snapshot.accounts.map(({ id }) => id)).toEqual(['good'])
})

test('a problem never tells a secret', () => {
  const baseUrl = 'https://user:hunter2@example.com'
  const { problems } = compile({ baseUrl, apiKey: 'sk-hunter2' })
  expect(JSON.stringify(problems)).not.toContain('hunter2')
})

test('the families of the configuration are those that accounts may speak', () => {
  for (const speaks of ['responses', 'chat', 'messages', 'generate']) {
    expect(compile({ speaks: [speaks] }).problems).toEqual([])
  }
  // Operations of the gateway itself are nothing that an account speaks.
  for (const speaks of ['models', 'health', 'openapi']) {
    expect(compile({ speaks: [speaks] }).problems).toHaveLength(1)
  }
})

test('a configuration comes out as a snapshot', () => {
  const config = {
    accounts: [{ id: 'a', provider: 'openai', models: { big: 'gpt-x', 'o/*': '*' } }],
    aliases: { quick: 'big', dead: 'nobody-has-this' },
  }
  const { accounts, aliases } = resolveSettings(config, { env: {} })
  const { snapshot } = compileSnapshot(accounts, aliases, dialects)
  expect(snapshot.modelNames).toEqual(['big', 'quick'])
  expect(snapshot.resolve('quick')).toEqual({ requested: 'quick', name: 'big' })
  expect(snapshot.resolve('o/1')).toEqual({ requested: 'o/1', name: 'o/1' })
  expect(snapshot.resolve('dead')).toBeUndefined()
  expect(snapshot.resolve('nobody-has-this')).toBeUndefined()
})
