import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { createTestGateway } from '../../src/testing/gateway.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

test('a browser at the public address sees what it is, and a program gets the same as JSON', async () => {
  await using gateway = await createTestGateway({
    accounts: [
      {
        id: 'secret-account',
        provider: 'openai',
        baseUrl: 'http://127.0.0.1:9/secret-path',
        apiKey: 'secret-credential',
        models: ['secret-model'],
      },
    ],
  })
  const get = async (accept?: string, path = '/') => {
    const answer = await fetch(gateway.url + path, {
      headers: accept === undefined ? {} : { accept },
    })
    return { answer, text: await answer.text() }
  }
  const page = await get('text/html,application/xhtml+xml,*/*;q=0.8')
  expect([page.answer.status, page.answer.headers.get('content-type')]).toEqual([
    200,
    'text/html; charset=utf-8',
  ])
  expect(page.answer.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-/,
  )
  const json = await get('*/*')
  expect(JSON.parse(json.text)).toMatchObject({
    name: 'Dragoman',
    endpoints: { 'Anthropic messages': 'POST /v1/messages' },
  })
  for (const { answer, text } of [page, json, await get()]) {
    expect(answer.headers.get('vary')).toBe('accept')
    for (const shown of ['/v1/chat/completions', '/v1/models', '/openapi.json', 'keys create'])
      expect(text).toContain(shown)
    // Neither a secret nor which version, accounts and addresses there are.
    for (const hidden of ['secret', version, '127.0.0.1', '8788'])
      expect(text).not.toContain(hidden)
  }
  const others = await get('text/html', '/index.html')
  expect([others.answer.status, others.answer.headers.get('content-type')]).toEqual([
    404,
    'application/json',
  ])
  expect((await fetch(gateway.url, { method: 'POST' })).status).toBe(404)
  // The page is no endpoint of the API.
  expect((await get('*/*', '/openapi.json')).text).not.toContain('public-page')
})
