import { expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { addressesOf, withoutAdmin, openPlace } from './dragoman.ts'

/** The status of a chat call with a seed, which an account of Messages cannot be told. */
async function statusWithSeed(clients: string, secret: string): Promise<number> {
  const response = await fetch(`${clients}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'sandbox/echo',
      messages: [{ role: 'user', content: 'hi' }],
      seed: 7,
    }),
  })
  await response.body?.cancel()
  return response.status
}

test('a key issued with --losses has its own policy, and others that of the configuration', async () => {
  await using sandbox = await startSandbox()
  await using place = await openPlace()
  const account = { id: 'a', provider: 'sandbox', baseUrl: sandbox.url, apiKey: 'sandbox-key-a' }
  const accounts = [{ ...account, models: ['*'], speaks: ['messages'] }]
  const configuration = { accounts, store: 'file:store', losses: 'reject' }
  await place.write('dragoman.config.json', JSON.stringify(configuration))
  const easy = await place.call('keys create easy --losses drop')
  const other = await place.call('keys create team')

  const { clients } = await addressesOf(place.start(withoutAdmin))

  expect(await statusWithSeed(clients, easy.stdout.trim())).toBe(200)
  expect(await statusWithSeed(clients, other.stdout.trim())).toBe(400)
})

test('what a key loses is told in JSON and listed, and stays with a new secret', async () => {
  await using place = await openPlace()
  const keys = [{ id: 'fixed', secret: 'secret-of-fixed', losses: 'native' }]
  await place.write('dragoman.config.json', JSON.stringify({ keys, store: 'file:keys' }))

  const created = await place.call('keys create careful --losses reject --json')
  const rotated = await place.call('keys rotate careful --json')
  await place.call('keys create plain')
  const listed = await place.call('keys list --json')
  const table = await place.call('keys list')

  expect(JSON.parse(created.stdout)).toMatchObject({ id: 'careful', losses: 'reject' })
  expect(JSON.parse(rotated.stdout)).toMatchObject({ id: 'careful', losses: 'reject' })
  const policies = JSON.parse(listed.stdout) as { id: string; losses?: string }[]
  expect(policies.map(({ id, losses }) => [id, losses])).toEqual([
    ['careful', 'reject'],
    ['fixed', 'native'],
    ['plain', undefined],
  ])
  const [titles = '', ...rows] = table.stdout.trim().split('\n')
  const column = titles.indexOf('LOSSES')
  expect(rows.map((row) => row.slice(column).trim())).toEqual(['reject', 'native', ''])
})

test('a policy that there is not is a mistake of the caller', async () => {
  await using place = await openPlace()
  const { code, stderr, stdout } = await place.call('keys create team --losses ignore')
  expect(code).toBe(2)
  expect(stderr).toContain('--losses takes drop, native, reject, not "ignore".')
  expect(stdout).toBe('')
  const listed = await place.call('keys list --json')
  expect(JSON.parse(listed.stdout)).toEqual([])
  const form = await place.call('keys create team --errors mine')
  expect([form.code, form.stdout]).toEqual([2, ''])
  expect(form.stderr).toContain('--errors takes spec, upstream, native, not "mine".')
})
