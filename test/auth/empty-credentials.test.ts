import { describe, expect, test } from 'vitest'

import { dialectNames, dialects } from '../requests/dialects.ts'
import { startService } from '../requests/service.ts'

const forms = ['authorization', 'x-api-key', 'x-goog-api-key']

describe.each(dialectNames)('%s', (dialect) => {
  const { path, request, credential } = dialects[dialect]
  const body = JSON.stringify(request)

  test('a header that holds nothing decides nothing', async () => {
    await using service = await startService()
    const { url, key } = service.gateway
    for (const name of forms) {
      const own = name === 'authorization' ? `Bearer ${key}` : key
      const empty = Object.fromEntries(forms.map((form) => [form, '']))
      const version = { 'anthropic-version': '2023-06-01' }
      const headers = { ...version, ...empty, [name]: own }
      const response = await fetch(url + path, { method: 'POST', headers, body })
      expect({ name, status: response.status }).toEqual({ name, status: 200 })
    }
  })

  test('the page that a browser is on stays here', async () => {
    await using service = await startService()
    const page = { origin: 'https://canary.example', referer: 'https://canary.example/chat' }
    expect((await service.ask(dialect, {}, { headers: page })).status).toBe(200)
    expect(JSON.stringify(service.received().headers)).not.toContain('canary')
  })

  test('a credential that decided nothing stays here as well', async () => {
    await using service = await startService()
    const { url, key } = service.gateway
    const others = Object.fromEntries(forms.map((form) => [form, 'Bearer canary']))
    const headers = { ...others, ...credential(key) }
    const response = await fetch(url + path, { method: 'POST', headers, body })
    expect(response.status).toBe(200)
    expect(JSON.stringify(service.received().headers)).not.toContain('canary')
  })
})
