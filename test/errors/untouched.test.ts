import { describe, expect, test } from 'vitest'

import type { Answer } from '../../src/testing/fake-account.ts'
import { dialectNames } from '../requests/dialects.ts'
import { startService, upstreamSecret, useOnly } from '../requests/service.ts'
import { expectError } from './envelope.ts'

/** The configuration's `errors: 'upstream'`. */
const errors = 'upstream'

function refuse(status: number, type: string, body: string): Answer {
  return (response) => void response.writeHead(status, { 'content-type': type }).end(body)
}

describe.each(dialectNames)('%s', (dialect) => {
  test.each([
    [
      400,
      'application/json; charset=utf-8',
      '{ "error" :{"code":"x", "big":12345678901234567890}}',
    ],
    [429, 'application/problem+json', '[{"error":1}]'],
    [503, 'text/html', '<h1>down</h1>'],
    [422, 'application/json', ''],
  ])('a body of status %i goes out untouched', async (status, type, body) => {
    await using service = await startService({ errors }, refuse(status, type, body))
    useOnly(dialect, service)
    const response = await service.ask(dialect)
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('x-request-id')).toMatch(/^req_/)
    expect(await response.text()).toBe(body)
  })

  test('what names the account is taken out all the same', async () => {
    await using service = await startService({ errors }, (response, { headers }) => {
      response.writeHead(400).end(`${upstreamSecret} at ${headers.host}`)
    })
    expect(await (await service.ask(dialect)).text()).toBe('[secret] at [upstream]')
  })

  test('the gateway’s own errors have their envelope', async () => {
    await using service = await startService({ errors })
    await expectError(dialect, await service.post(dialect, '[]'), 400)
  })

  test('a refused account is nothing that the caller is told of', async () => {
    await using service = await startService({ errors }, refuse(401, 'text/plain', 'canary'))
    const body = await expectError(dialect, await service.ask(dialect), 502)
    expect(JSON.stringify(body)).not.toContain('canary')
  })
})
