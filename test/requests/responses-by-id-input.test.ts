import { describe, expect, test } from 'vitest'

import { answerJson } from '../../src/testing/fake-account.ts'
import { post, replies, startOwner } from '../walks/chaining/owner.ts'

const paths = ['/v1/responses/input_tokens', '/v1/responses/compact']

describe.each(paths)('%s', (path) => {
  test('reaches the account on a path of its own, with its bytes', async () => {
    await using owner = await startOwner()
    owner.script = answerJson(replies[path])
    const body = '{ "model":"m" ,"big":123456789012345678901234567890}'

    const response = await owner.ask('POST', `${path}?beta=true`, body)

    expect({ status: response.status, body: (await response.json()) as unknown }).toEqual({
      status: 200,
      body: replies[path],
    })
    const [request] = owner.requests
    expect(request).toMatchObject({ method: 'POST', url: `${path}?beta=true` })
    expect(request?.body.toString()).toBe(body)
  })

  test('gets the words of the provider for those of the contract', async () => {
    await using owner = await startOwner()
    const input = [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }]

    expect(await post(owner, path, { input })).toMatchObject({ status: 200 })

    const sent = JSON.parse(owner.requests[0]?.body.toString() ?? '') as object
    expect(sent).toMatchObject({ input: [{ content: [{ type: 'input_text', text: 'hi' }] }] })
  })

  test.each([
    ['model', undefined],
    ['model', ' '],
    ['input', 7],
    ['instructions', {}],
    ['tools', 'all'],
  ])('needs a good `%s`, not %o', async (param, value) => {
    await using owner = await startOwner()
    const { status, body } = await post(owner, path, { [param]: value })
    expect({ status, body }).toMatchObject({ status: 400, body: { error: { param } } })
    expect(owner.requests).toEqual([])
  })

  test('continues a response, and only one that is there', async () => {
    await using owner = await startOwner()
    const chained = { previous_response_id: 'x1', input: undefined }
    expect(await post(owner, path, chained)).toMatchObject({ status: 200 })
    expect(owner.requests).toHaveLength(1)

    for (const [id, code] of [
      ['resp_unknown', 'previous_response_not_found'],
      [' ', 'invalid_value'],
    ]) {
      expect(await post(owner, path, { ...chained, previous_response_id: id })).toMatchObject({
        status: 400,
        body: { error: { code, param: 'previous_response_id', type: 'invalid_request_error' } },
      })
    }
    expect(owner.requests).toHaveLength(1)
  })
})

test('what a compaction is called cannot be asked for or continued', async () => {
  await using owner = await startOwner()
  owner.script = answerJson(replies['/v1/responses/compact'])
  await post(owner, '/v1/responses/compact', {})

  expect((await owner.ask('GET', '/v1/responses/resp_3')).status).toBe(404)
  expect(await post(owner, '/v1/responses', { previous_response_id: 'resp_3' })).toMatchObject({
    status: 400,
    body: { error: { code: 'previous_response_not_found' } },
  })
  const [line] = (await owner.gateway.logged(3)).slice(2)
  expect(line).toMatchObject({ route: 'responses.compact', input_tokens: 5, output_tokens: 2 })
})

test('counting is no looking up: a response may be called so', async () => {
  await using owner = await startOwner({ id: 'input_tokens' })
  expect((await owner.ask('GET', '/v1/responses/input_tokens')).status).toBe(200)
  expect(await post(owner, '/v1/responses/input_tokens', {})).toMatchObject({ status: 200 })
  const lines = await owner.gateway.logged(4)
  expect(lines.slice(2).map((line) => line['route'])).toEqual([
    'responses.retrieve',
    'responses.input_tokens',
  ])
})
