import { describe, expect, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import { answerJson } from '../../src/testing/fake-account.ts'
import { type DialectName, dialectNames } from '../requests/dialects.ts'
import { type Service, startService } from '../requests/service.ts'
import { expectError } from './envelope.ts'

function refusing(body: unknown, status: number, headers = {}): Promise<Service> {
  return startService({}, answerJson(body, { status, headers }))
}

async function errorOf(dialect: DialectName, body: unknown, status: number) {
  await using service = await refusing(body, status)
  return expectError(dialect, await service.ask(dialect), status)
}

describe.each(dialectNames)('%s', (dialect) => {
  test.each(
    dailyRows([400, 404, 409, 413, 422, 429, 500, 503, 529], dialectNames.indexOf(dialect)),
  )('passes status %i on', async (status) => {
    await using service = await refusing({ error: { message: 'no luck' } }, status)
    const response = await service.ask(dialect)
    expect(response.status).toBe(status)
    const { error } = (await response.json()) as { error: object }
    expect(error).toMatchObject({ code: status, message: 'no luck' })
  })

  test.each(
    dailyRows(
      ['{"oops":1}', 'null', '7', '[]', '<html>', '', '{"error":null}', '{"error":7}'],
      dialectNames.indexOf(dialect),
    ),
  )('puts an envelope around %s', async (text) => {
    const { error } = await errorOf(dialect, text, 400)
    expect(error.message).toBe('The upstream replied with status 400.')
  })

  test('finds the message wherever upstreams put it', async () => {
    for (const body of [
      { error: { message: 'found' } },
      { error: 'found' },
      '"found"',
      { message: 'found' },
      [{ error: { message: 'found' } }],
    ]) {
      expect((await errorOf(dialect, body, 400)).error.message).toBe('found')
    }
  })

  test('passes the time to wait on', async () => {
    const timing = { 'retry-after': '7', 'retry-after-ms': '6500', 'set-cookie': 'x=1' }
    await using service = await refusing({ error: { message: 'slow down' } }, 429, timing)
    const { headers } = await service.ask(dialect)
    expect(headers.get('retry-after')).toBe('7')
    expect(headers.get('retry-after-ms')).toBe('6500')
    expect(headers.get('x-should-retry')).toBe('false')
    expect(headers.get('set-cookie')).toBeNull()
  })

  test('takes any status that an upstream invents for an error', async () => {
    for (const status of [418, 599, 600, 999]) {
      await using service = await refusing({ error: { message: 'odd' } }, status)
      const response = await service.ask(dialect)
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(await response.json()).toMatchObject({ error: { message: 'odd' } })
    }
  })

  test.each([407, 421])(
    'answers 502 for a %i, which is about the way to the account',
    async (status) => {
      await using service = await refusing({ error: { message: 'a proxy in between' } }, status)
      const { error } = await expectError(dialect, await service.ask(dialect), 502)
      expect(error.message).toBe('a proxy in between')
    },
  )
})

test.each(['responses', 'chat'] as const)(
  'C1 %s keeps string code, type, param and further fields',
  async (dialect) => {
    const told = {
      message: 'You exceeded your quota.',
      type: 'insufficient_quota',
      param: 'messages[0]',
      code: 'insufficient_quota',
      inner: { more: [1] },
    }
    const { error } = await errorOf(dialect, { error: told }, 400)
    expect(error).toEqual({
      ...told,
      code: 400,
      details: [{ code: 'insufficient_quota', type: 'insufficient_quota', param: 'messages[0]' }],
    })
  },
)

test('#7 messages keeps the type and relays an object of details as it is', async () => {
  const details = { error_code: 'thread_not_found', thread_id: 't' }
  const told = { type: 'not_found_error', message: 'No such thread.', details, hint: 'h' }
  await using service = await refusing({ type: 'error', error: told, request_id: 'req_up' }, 404)
  const response = await service.ask('messages')
  expect(await response.json()).toEqual({
    type: 'error',
    error: { ...told, code: 404 },
    request_id: response.headers.get('request-id'),
  })
})

test('#7 generate keeps status and details', async () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [] }]
  const told = { code: 400, message: 'Bad.', status: 'FAILED_PRECONDITION', details }
  for (const body of [{ error: told }, [{ error: told }]]) {
    expect(await errorOf('generate', body, 400)).toEqual({ error: told })
  }
})

test('an upstream’s own previous_response_not_found leaves in the chaining envelope', async () => {
  const told = {
    message: "Previous response with id 'resp_x' not found.",
    type: 'invalid_request_error',
    param: 'previous_response_id',
    code: 'previous_response_not_found',
  }
  await using service = await refusing({ error: told }, 400)
  const response = await service.ask('responses')
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({ error: told })
})
