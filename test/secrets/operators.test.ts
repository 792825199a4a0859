import { expect, test } from 'vitest'

import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { openPlace } from '../cli/dragoman.ts'
import { dialects } from '../requests/dialects.ts'
import { basePath, canariesIn, placeOf, secret, wholeOf } from './canaries.ts'

const account = { id: 'a', provider: 'openai', apiKey: secret, models: ['m'] }

test('no command shows the key of an account, in any form', async () => {
  const url = 'http://canary.internal:18443'
  await using place = await openPlace()
  const accounts = [
    { ...account, baseUrl: url + basePath },
    { ...account, id: 'b', provider: 'x' },
  ]
  for (const [file, listed] of [
    ['good.json', accounts.slice(0, 1)],
    ['bad.json', accounts],
    ['odd.json', [{ ...accounts[0], weight: secret, priority: secret, models: secret }]],
    ['key.json', [secret]],
  ] as const) {
    await place.write(file, JSON.stringify({ store: 'memory:', accounts: listed }))
    for (const command of [
      'check',
      'check --json',
      'accounts list',
      'accounts list --json',
      'keys list',
    ]) {
      const { stdout, stderr } = await place.call(`${command} --config ${file}`)
      expect([command, file, stdout + stderr]).toEqual([
        command,
        file,
        expect.not.stringContaining(secret),
      ])
      // Operators see the addresses of their accounts.
      expect(canariesIn(stdout + stderr, 'http://elsewhere.example:59999')).toEqual(
        stdout.includes('base-canary') ? ['base-canary'] : [],
      )
    }
  }
})

test('the decision for a call names accounts and not their places', async () => {
  await using upstream = await startFakeAccount(answerJson(dialects.chat.reply))
  const url = placeOf(upstream)
  const one = { ...account, baseUrl: url + basePath }
  await using gateway = await createTestGateway({
    accounts: [one, { ...one, id: 'b', baseUrl: `${url}/gone` }],
    keys: [{ id: 'k', secret: 'sk-k', explain: true }],
  })
  const headers = {
    authorization: 'Bearer sk-k',
    'x-dragoman-explain': '1',
    'content-type': 'application/json',
  }
  const asked = { method: 'POST', headers, body: JSON.stringify(dialects.chat.request) }
  for (const path of [
    '/v1/chat/completions',
    '/v1/messages',
    '/v1/models',
    '/openapi.json',
    '/nowhere',
  ]) {
    const reads = path === '/v1/models' || path === '/openapi.json'
    const response = await fetch(gateway.url + path, reads ? { headers } : asked)
    expect([path, canariesIn(await wholeOf(response), url)]).toEqual([path, []])
  }
})

test('an account that cannot be reached is not described', async () => {
  const upstream = await startFakeAccount(answerJson({}))
  const url = placeOf(upstream)
  await upstream[Symbol.asyncDispose]()
  for (const name of [url, 'http://canary.invalid:18443']) {
    await using gateway = await createTestGateway({
      accounts: [{ ...account, baseUrl: name + basePath }],
    })
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(dialects.chat.request),
    })
    expect(response.status).toBe(502)
    expect(canariesIn(await wholeOf(response), name)).toEqual([])
    expect(JSON.stringify(gateway.log)).not.toContain(secret)
  }
})
