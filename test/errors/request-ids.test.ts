import { expect, test } from 'vitest'

import { dialectNames } from '../requests/dialects.ts'
import { startService } from '../requests/service.ts'

test('every answer has an id of its own', async () => {
  await using service = await startService()
  const { url, key } = service.gateway
  const headers = { authorization: `Bearer ${key}`, 'x-request-id': 'req_from_the_client' }
  const paths = ['/livez', '/readyz', '/openapi.json', '/v1/models', '/v1/models/m', '/nowhere']
  const answers = [
    ...(await Promise.all(paths.map((path) => fetch(url + path, { headers })))),
    ...(await Promise.all(dialectNames.map((name) => service.ask(name)))),
    ...(await Promise.all(dialectNames.map((name) => service.post(name, 'no json')))),
    await fetch(`${url}/v1/models`),
    await fetch(`${url}/v1/models`, { method: 'DELETE' }),
  ]
  const ids = answers.map((answer) => answer.headers.get('x-request-id'))
  for (const id of ids) expect(id).toMatch(/^req_[0-9a-f-]{32,36}$/)
  expect(new Set(ids).size).toBe(answers.length)
})

test('messages clients read it as request-id, and the access log has it', async () => {
  await using service = await startService()
  const answers = [
    await service.ask('messages'),
    await service.ask('messages', { max_tokens: 'x' }),
    await service.ask('messages', {}, { path: '/v1/messages/count_tokens' }),
  ]
  const lines = await service.gateway.logged(answers.length)
  for (const [index, { headers }] of answers.entries()) {
    expect(headers.get('request-id')).toBe(headers.get('x-request-id'))
    expect(lines[index]?.request_id).toBe(headers.get('x-request-id'))
  }
})
