import { expect, test } from 'vitest'

import { openPlace } from './dragoman.ts'

test('a limit is tried, set, listed, granted, reset and removed', async () => {
  await using place = await openPlace()
  await place.write(
    'dragoman.config.json',
    JSON.stringify({ quotas: [{ kind: 'concurrent', amount: 9 }] }),
  )
  const words = 'limits set key:ci --kind cost --amount 12.50 --window month --zone Europe/Berlin'
  const dry = await place.call(`${words} --dry-run`)
  expect(dry).toMatchObject({ code: 0, stdout: '' })
  expect(dry.stderr).toContain('Warning: input.subject: there is no API key "ci"')
  expect(dry.stderr).toContain('Nothing was changed. Spent in the present period: 0 of 12.5.')
  expect((await place.call('limits list --subject key:ci')).stdout).toBe('')
  const set = await place.call(`${words} --json`)
  expect(JSON.parse(set.stdout)).toMatchObject({
    id: 'key:ci:cost:month',
    kind: 'cost',
    window: 'month',
    amount: '12.5',
    remaining: '12.5',
    from: 'store',
  })
  expect(set.stderr).not.toContain('--window')
  const short = await place.call('limits set key:ci --kind outputtokens --amount 1000 --warn')
  expect(short.stderr).toContain('It holds for 1m: --window names another')
  const open = await place.call('limits set key:ci --kind cost --amount 5 --dry-run')
  expect(open.stderr).toContain('It holds for all time: --window names another')
  const atOnce = await place.call('limits set key:ci --kind concurrent --amount 5 --dry-run')
  expect(atOnce.stderr).not.toContain('--window')
  const listed = await place.call('limits list')
  expect(listed.stdout).toMatch(/^gateway::concurrent +9 +0 +0 +9 +refuse +configuration$/m)
  expect(listed.stdout).toMatch(/^key:ci:outputTokens:1m +1000 .* warn +store$/m)

  const grant = 'limits grant key:ci:cost:month --amount 5 --until 2099-01-31'
  expect((await place.call(grant)).stderr).toContain('has 5 more until 2099-01-31')
  const granted = await place.call('limits list --subject key:ci --json')
  expect(JSON.parse(granted.stdout)[0]).toMatchObject({ amount: '12.5', remaining: '17.5' })
  expect(await place.call('limits reset key:ci:cost:month')).toMatchObject({ code: 0 })
  expect(await place.call('limits remove key:ci:cost:month')).toMatchObject({ code: 0 })
  const fixed = await place.call('limits remove gateway::concurrent')
  expect(fixed).toMatchObject({ code: 1, stderr: expect.stringContaining('change quotas') })
  const gone = await place.call('limits reset key:ci:cost:month')
  expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining('limits list` shows all') })
})

test('a budget that would refuse a model without a price says so', async () => {
  await using place = await openPlace()
  const account = { id: 'own', provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1' }
  await place.write(
    'dragoman.config.json',
    JSON.stringify({ accounts: [{ ...account, apiKey: 'hush', models: ['llama'] }] }),
  )
  const set = await place.call('limits set gateway --kind cost --amount 5 --window day')
  expect(set.code).toBe(0)
  expect(set.stderr).toContain(
    'Warning: input.kind: it refuses calls of models without a price: "llama".',
  )
})

test('what cannot be meant is refused', async () => {
  await using place = await openPlace()
  for (const [words, said] of [
    ['limits set --kind cost --amount 1', 'Whose limit?'],
    ['limits set someone --kind cost --amount 1', 'is not key:ID'],
    ['limits set gateway --amount 1', 'needs --kind'],
    ['limits set gateway --kind cost', 'needs --amount'],
    ['limits set gateway --kind cost --amount much', 'takes a number'],
    ['limits set gateway --kind money --amount 1', '--kind takes'],
    ['limits grant x --amount 1', 'needs --amount N and --until'],
    ['limits remove', 'Which limit?'],
  ] as const) {
    const { code, stderr } = await place.call(words)
    expect([words, code, stderr]).toEqual([words, 2, expect.stringContaining(said)])
  }
})
